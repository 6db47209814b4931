import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../json/is-record.ts";
import { BUILT_IN_VARIABLES } from "../template/built-in-variables.ts";
import { type EnvironmentRecord, resolveTemplate } from "../template/resolve-template.ts";
import type { Template } from "../template/template.ts";
import { type ConfigReader, PRIVATE } from "./config-reader.ts";
import type { CustomEngineConfig, LoadedEngineConfig, ModelConfig } from "./custom-engine-config.ts";
import { describeIssues, fieldPath } from "./describe-issue.ts";
import type { CustomBlock, EngineBlock } from "./engine-block.ts";
import { engineBlockSchema, SETTING_CHOICES } from "./engine-config-schema.ts";
import { engineSettingsOf } from "./engine-settings-of.ts";
import { loadHttp } from "./load-http.ts";
import { loadLocal } from "./load-local.ts";
import { parseValidPart, type ValidPart } from "./parse-valid-part.ts";

/** Options for `loadEngineConfig`. */
export interface LoadEngineOptions {
  /** Environment variables for resolving references, usually `process.env`. */
  readonly env: EnvironmentRecord;
  /** Names of the built-in engines. For these, the `custom` block of the configuration is ignored. */
  readonly builtIn?: readonly string[] | undefined;
  /** Engine name that overrides the configuration's name. */
  readonly name?: string | undefined;
}

/**
 * Loads an engine configuration: a document with an `engine` block, the block itself, or an evaluation file.
 * Environment references are resolved only for the transport in use. Throws `config.invalid_engine` with all problems
 * and the full paths of their fields, before anything runs. See custom-engine: configuration entry point, field
 * reference.
 */
export function loadEngineConfig(document: unknown, options: LoadEngineOptions): LoadedEngineConfig {
  const settings = engineSettingsOf(document);
  const loaded = loadDocument(settings.document, options);
  return settings.warning === undefined ? loaded : { ...loaded, warnings: [settings.warning, ...loaded.warnings] };
}

function loadDocument(document: unknown, options: LoadEngineOptions): LoadedEngineConfig {
  const block = engineBlockOf(document);
  const name = options.name ?? (isRecord(block) && typeof block["name"] === "string" ? block["name"] : "");
  if (name !== "" && options.builtIn?.includes(name) === true) return loadBuiltIn(name, block, options.env);
  // A block without a name is checked with a placeholder name, so that all problems are reported at once.
  const isNamed = name !== "" || !isRecord(block) || typeof (block["name"] ?? "") !== "string";
  const { value, issues } = parseValidPart(engineBlockSchema, isNamed ? block : { ...block, name: "(unnamed)" });
  const problems = describeIssues(issues, "engine");
  if (!isNamed) problems.unshift("engine.name is required");
  else if (name !== "" && isRecord(block) && block["custom"] === undefined) {
    problems.push(`unsupported agent "${name}": missing engine.custom`);
  }
  if (value?.custom === undefined) throw invalidConfig(problems);
  return loadCustom({ ...value, name }, options.env, {
    problems,
    invalidFields: issues.flatMap(fieldOf),
  });
}

/** Returns the path of a removed field; `undefined` for unknown fields. */
function fieldOf({ code, path }: ValidPart<unknown>["issues"][number]): string[] {
  return code === "unrecognized_keys" ? [] : [fieldPath("engine", path)];
}

/** Configuration problems that were found before references to environment variables are resolved. */
interface KnownProblems {
  readonly problems: readonly string[];
  /** Fields that were removed because of a problem; they are not reported as missing. */
  readonly invalidFields: readonly string[];
}

function engineBlockOf(document: unknown): unknown {
  if (!isRecord(document)) throw invalidConfig(["engine must be a map"]);
  if (!Object.hasOwn(document, "engine")) return document;
  const others = Object.keys(document).filter((key) => key !== "engine");
  if (others.length > 0) throw invalidConfig(others.map((key) => `${key} is not a known setting; only engine is`));
  return document["engine"];
}

function invalidConfig(problems: readonly string[]): EngineError {
  return new EngineError("config.invalid_engine", { problems: [...new Set(problems)].join("\n") });
}

/** Loads the configuration of a built-in engine. The `custom` block is ignored. */
function loadBuiltIn(name: string, block: unknown, env: EnvironmentRecord): LoadedEngineConfig {
  const { custom, ...own } = isRecord(block) ? block : {};
  const parsed = engineBlockSchema.safeParse({ ...own, name }, { reportInput: true });
  if (!parsed.success) throw invalidConfig(describeIssues(parsed.error.issues, "engine"));
  const problems: string[] = [];
  const model = loadModel(parsed.data, env, problems);
  if (problems.length > 0) throw invalidConfig(problems);
  const warnings = custom === undefined ? [] : [`engine.custom is not read, as ${name} is a built-in engine`];
  return { name, model, warnings };
}

function loadModel({ model }: EngineBlock, env: EnvironmentRecord, problems: string[]): ModelConfig | undefined {
  if (model === undefined) return undefined;
  const resolve = (field: string, text: string): string => {
    const resolved = resolveTemplate(text, env, { isExposed: false, unknownNames: BUILT_IN_VARIABLES });
    problems.push(...resolved.problems.map((problem) => `engine.model.${field}: ${problem}`));
    return resolved.template.map((token) => (token.kind === "literal" ? token.text : "")).join("");
  };
  const { provider = "", name = "", base_url, params = {} } = model;
  const resolved = Object.entries(params).map(([key, value]) => [key, resolve(`params.${key}`, value)] as const);
  return {
    ...{ provider, name, params: Object.fromEntries(resolved) },
    ...(base_url === undefined ? {} : { baseUrl: resolve("base_url", base_url) }),
  };
}

function loadCustom(block: EngineBlock, env: EnvironmentRecord, known: KnownProblems): LoadedEngineConfig {
  const { name, custom = {} } = block;
  const problems = [...known.problems];
  const reader: ConfigReader = {
    fail(field, problem) {
      const path = `engine.custom.${field}`;
      if (!known.invalidFields.some((invalidFields) => path.startsWith(invalidFields))) problems.push(path + problem);
    },
    template(field, text, rules) {
      const resolved = resolveTemplate(text, env, rules);
      problems.push(...resolved.problems.map((problem) => `engine.custom.${field}: ${problem}`));
      return resolved.template;
    },
  };
  const model = loadModel(block, env, problems);
  const config = readCustom(custom, reader, { name, model });
  if (config === undefined || problems.length > 0) throw invalidConfig(problems);
  return { name, model, custom: config, warnings: warningsOf(model) };
}

function warningsOf(model: ModelConfig | undefined): string[] {
  if (model === undefined) return [];
  const idle = [
    ...(model.baseUrl === undefined ? [] : ["engine.model.base_url"]),
    ...(Object.keys(model.params).length === 0 ? [] : ["engine.model.params"]),
  ];
  return idle.map((field) => `${field} has no effect on a custom engine; hand it over by engine.custom.kwargs or env`);
}

function readCustom(
  block: CustomBlock,
  reader: ConfigReader,
  { name, model }: Pick<CustomEngineConfig, "name" | "model">,
): CustomEngineConfig | undefined {
  const transport = readChoice(block, reader, "transport");
  const conversationMode = readChoice(block, reader, "conversation_mode") ?? "batch";
  const responseFormat = readChoice(block, reader, "response_format") ?? "session_result";
  const effects = readChoice(block, reader, "effects") ?? "unsafe";
  const { timeout_seconds: timeoutSeconds } = block;
  if (timeoutSeconds !== undefined && timeoutSeconds < 0) reader.fail("timeout_seconds", " must be non-negative");
  if (conversationMode === "stateful" && responseFormat === "text") {
    reader.fail("response_format", " must be session_result in a stateful conversation, whose session id it carries");
  }
  const kwargs = readKwargs(block, reader);
  const env = readEnv(block, reader);
  const carrier =
    transport === "local" ? loadLocal(block, reader) : transport === "http" ? loadHttp(block, reader) : undefined;
  if (carrier === undefined) return undefined;
  return {
    ...{ name, model, transport: carrier, conversationMode, responseFormat, effects, env, kwargs },
    ...(timeoutSeconds === undefined || timeoutSeconds === 0 ? {} : { timeoutSeconds }),
  };
}

type Settings = {
  readonly transport: "local" | "http";
  readonly conversation_mode: "batch" | "stateful";
  readonly response_format: "session_result" | "text";
  readonly effects: "unsafe" | "idempotent" | "readonly";
};

function isChoice<K extends keyof Settings>(setting: K, value: string): value is Settings[K] {
  return SETTING_CHOICES[setting].includes(value);
}

function readChoice<K extends keyof Settings>(
  block: CustomBlock,
  reader: ConfigReader,
  setting: K,
): Settings[K] | undefined {
  const written = block[setting];
  if (written === undefined) {
    if (setting === "transport") reader.fail("transport", " is required (local or http)");
    return undefined;
  }
  const rules = { isExposed: false, unknownNames: BUILT_IN_VARIABLES };
  const value = reader
    .template(setting, written, rules)
    .map((token) => (token.kind === "literal" ? token.text : ""))
    .join("");
  if (isChoice(setting, value)) return value;
  const got = `(got ${JSON.stringify(value.slice(0, 100))})`;
  if (setting === "transport") reader.fail(setting, ` must be "local" or "http" ${got}`);
  else reader.fail(setting, ` must be one of: ${SETTING_CHOICES[setting].join(", ")} ${got}`);
  return undefined;
}

function readKwargs({ kwargs = {} }: CustomBlock, reader: ConfigReader): Record<string, Template> {
  // Parameters must not refer to these built-in variables, some of which are derived from the parameters.
  const unknownNames = [
    "kwargs",
    "kwargs_json",
    "session_input",
    "session_input_json",
    "session_id",
    "input_file",
    "output_file",
  ];
  const entries = Object.entries(kwargs).map(([key, value]) => {
    if (BUILT_IN_VARIABLES.includes(key)) {
      reader.fail("kwargs", ` key "${key}" collides with a built-in template variable; rename it`);
    }
    return [key, reader.template(`kwargs.${key}`, value, { isExposed: true, unknownNames })] as const;
  });
  return Object.fromEntries(entries);
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function readEnv({ env = {} }: CustomBlock, reader: ConfigReader): Record<string, Template> {
  const entries = Object.entries(env).map(([key, value]) => {
    if (!VARIABLE_NAME.test(key)) reader.fail(`env.${key}`, " is not the name of a variable");
    return [key, reader.template(`env.${key}`, value, PRIVATE)] as const;
  });
  return Object.fromEntries(entries);
}
