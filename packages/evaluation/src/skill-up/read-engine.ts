import type { EvaluationAgent, EvaluationAgentSettings } from "@switchyard/custom-engine";
import { isRecord } from "../files/is-record.ts";
import { agentSkillFolder } from "../model/agent-skill-folder.ts";
import type { EngineChoice, SimulatedUserChoice } from "../suite/eval-suite.ts";
import { below, type Field, type FieldsByName, isAbsent, readMap, required } from "../suite/field.ts";
import { readOneOf, readScalar, readScalarMap } from "../suite/scalar-fields.ts";

/** Default engine, for an evaluation file that names no engine. */
const DEFAULT_ENGINE = "claude_code";

const KNOWN = ["name", "version", "entry", "model", "kwargs", "custom", "adapter"];

/** Engine of an evaluation file. */
export interface SkillUpEngine {
  readonly choice: EngineChoice;
  /** Whether the evaluation file configures a custom engine. */
  readonly isCustom: boolean;
  /** Workspace folder in which the engine looks for skills. */
  readonly skills: string;
  /** Whether the engine supports conversations of several turns. */
  readonly hasConversations: boolean;
  /** Warnings about settings that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}

/** Options for `readEngine`. */
export interface ReadEngineOptions {
  /** Agents that are built into the evaluation tool skill-up, by name. */
  readonly agents: ReadonlyMap<string, EvaluationAgent>;
  /** Whether the engine runs in a container. */
  readonly isContained: boolean;
}

/** Reads `engine`. The `custom` block is checked when the engine is opened, because it refers to variables. */
export function readEngine(field: Field, { agents, isContained }: ReadEngineOptions): SkillUpEngine | undefined {
  const fields = readMap(field, KNOWN);
  if (fields === undefined) return undefined;
  const name = readScalar(fields("name")) ?? DEFAULT_ENGINE;
  const agent = agents.get(name);
  const model = readModel(fields("model"));
  const warnings = withoutEffect(fields("entry"));
  const version = readVersion(fields("version"), warnings);
  const isChecked = agent !== undefined || NAMED.includes(name);
  if (version !== undefined && !isChecked)
    warnings.push(`${fields("version").path} is not checked, because no command of the engine ${name} is known.`);
  const base = { field: field.path, id: name, version: isChecked ? version : undefined };
  if (agent !== undefined) {
    const kwargs = readScalarMap(fields("kwargs"));
    const given = modelOf(model);
    const { spec, heeded } = agent.configure({ name, model: given, kwargs, isContained });
    warnings.push(
      ...Object.keys(kwargs).flatMap((key) =>
        heeded.includes(key) ? [] : noEffect(`${fields("kwargs").path}.${key}`),
      ),
      ...withoutEffect(fields("custom")),
      ...(heeded.includes("base_url") ? [] : withoutEffect(below(fields("model"), "base_url", given.baseUrl))),
      ...withoutEffect(below(fields("model"), "params", paramsOf(fields))),
    );
    const skills = agentSkillFolder(agent.engine ?? name);
    const hasConversations = agent.engine !== undefined;
    return { choice: { ...base, spec }, isCustom: false, hasConversations, skills, warnings };
  }
  warnings.push(
    ...withoutEffect(fields("kwargs")),
    ...withoutEffect(below(fields("model"), "params", paramsOf(fields))),
  );
  const custom = fields("custom");
  if (isRecord(custom.value) && name !== "agent") {
    const block = withBatch(custom.value);
    return {
      choice: { ...base, spec: { name, ...model, custom: block } },
      isCustom: true,
      skills: agentSkillFolder(name),
      hasConversations: block["response_format"] !== "text" || usesMessages(block),
      warnings,
    };
  }
  const adapter = isRecord(fields("adapter").value) ? { adapter: fields("adapter").value } : {};
  return {
    choice: { ...base, spec: { name, ...model, ...adapter } },
    isCustom: false,
    skills: agentSkillFolder(name),
    hasConversations: true,
    warnings,
  };
}

/** Returns the engine of an evaluation file, with its model replaced by `reference`: `provider/name` or a name. */
export function readEngineWithModel(
  field: Field,
  reference: string,
  options: ReadEngineOptions,
): EngineChoice | undefined {
  if (!isRecord(field.value)) return undefined;
  const slash = reference.indexOf("/");
  const [provider, name] = slash < 0 ? [undefined, reference] : [reference.slice(0, slash), reference.slice(slash + 1)];
  const { base_url: url, ...inherited } = isRecord(field.value["model"]) ? field.value["model"] : {};
  const isSameProvider = provider === undefined || provider === inherited["provider"];
  const model = {
    ...inherited,
    ...(isSameProvider && url !== undefined ? { base_url: url } : {}),
    ...(provider === undefined ? {} : { provider }),
    name,
  };
  // Problems are discarded here, because they were recorded when the engine was first read.
  return readEngine({ ...field, value: { ...field.value, model }, problems: [] }, options)?.choice;
}

/** Matches versions that can be checked. */
const VERSION = /^(?:>=\s*)?[v=]*\d+(?:\.\d+)*(?:-[\w.-]+)?$/u;

/** Engines whose command is known, in addition to the engines built into skill-up. */
const NAMED: readonly string[] = ["copilot", "kiro"];

/**
 * Reads `engine.version`. It is checked against the version that the engine's command prints. Tags and other ranges, such
 * as `^2.1.0`, have no effect, as in skill-up.
 */
function readVersion(field: Field, warnings: string[]): string | undefined {
  const version = readScalar(field);
  if (version === undefined || version === "latest") return undefined;
  if (VERSION.test(version)) return version;
  warnings.push(`${field.path} has no effect here: write a version such as 2.1, or >=2.1.`);
  return undefined;
}

/** `stateless` is another name for `batch`. */
function withBatch(block: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return block["conversation_mode"] === "stateless" ? { ...block, conversation_mode: "batch" } : block;
}

/**
 * Returns true if the configuration of a custom engine refers to `input` or `messages`, which contain the whole
 * conversation.
 */
function usesMessages(block: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(block).includes("input") || JSON.stringify(block).includes("messages");
}

function modelOf({ model }: Readonly<Record<string, unknown>>): EvaluationAgentSettings["model"] {
  const text = (name: string): string | undefined => {
    const value = isRecord(model) ? model[name] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { provider: text("provider"), name: text("name"), baseUrl: text("base_url") };
}

function paramsOf(fields: FieldsByName): unknown {
  const { value } = fields("model");
  return isRecord(value) ? value["params"] : undefined;
}

function readModel(field: Field): Readonly<Record<string, unknown>> {
  const fields = readMap(field, ["provider", "name", "base_url", "params"]);
  if (fields === undefined) return {};
  readScalarMap(fields("params"));
  const [provider, name, url] = [fields("provider"), fields("name"), fields("base_url")].map(readScalar);
  const model = {
    ...(provider === undefined ? {} : { provider }),
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { base_url: url }),
  };
  return Object.keys(model).length === 0 ? {} : { model };
}

/** Returns a warning if a field without effect is set. */
function withoutEffect(field: Field): string[] {
  const { value, path } = field;
  const isEmpty = value === "" || (isRecord(value) && Object.keys(value).length === 0);
  return isAbsent(field) || isEmpty ? [] : [noEffect(path)];
}

function noEffect(path: string): string {
  return `${path} has no effect here.`;
}

/** Reads the model of the simulated user. */
export function readSimulatedUser(field: Field): SimulatedUserChoice | undefined {
  const fields = readMap(field, ["provider", "protocol", "model", "timeout_seconds"]);
  if (fields === undefined || isAbsent(field) || (isRecord(field.value) && Object.keys(field.value).length === 0))
    return undefined;
  const provider = required(fields("provider"), readScalar);
  const model = required(fields("model"), readScalar);
  const protocol = required(fields("protocol"), (one) =>
    readOneOf<"openai" | "anthropic">(one, ["openai", "anthropic"]),
  );
  const { value: seconds } = fields("timeout_seconds");
  const timeoutSeconds = typeof seconds === "number" && seconds > 0 ? seconds : 30;
  if (provider === undefined || model === undefined) return undefined;
  return { model: `${provider}/${model}`, timeoutSeconds, protocol };
}
