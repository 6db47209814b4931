import { isRecord } from "../json/is-record.ts";
import { EVALUATION_AGENTS, type EvaluationAgentSettings } from "./evaluation-agents.ts";

/** Settings of the `engine` block that only the evaluation tool skill-up uses. */
const EVALUATION_ENGINE_SETTINGS: readonly string[] = ["version", "entry", "kwargs"];

/** Engine settings that were found in a configuration document. */
export interface EngineSettings {
  /** Configuration document without settings that only evaluations use. */
  readonly document: unknown;
  /** Warning about the ignored settings, one sentence; `undefined` if there are none. */
  readonly warning?: string | undefined;
}

/**
 * Returns the engine settings of a configuration document. An evaluation file, which contains both `schema_version` and
 * `engine`, is reduced to its `engine` block, and a warning lists the ignored settings. For an agent that is built into
 * the evaluation tool skill-up, the block is replaced with the configuration of the engine that runs this agent. Other
 * documents are returned unchanged. See custom-engine: configuration entry point.
 */
export function engineSettingsOf(document: unknown): EngineSettings {
  if (!isRecord(document) || typeof document["schema_version"] !== "string") return { document };
  const { engine, ...others } = document;
  if (!isRecord(engine)) return { document };
  const agent = EVALUATION_AGENTS.get(String(engine["name"]));
  const unread = agent === undefined ? EVALUATION_ENGINE_SETTINGS : [...EVALUATION_ENGINE_SETTINGS, "custom"];
  const engineKeys = unread.filter((name) => Object.hasOwn(engine, name));
  const ignored = [
    ...Object.keys(others).filter((name) => name !== "schema_version"),
    ...engineKeys.map((name) => `engine.${name}`),
  ];
  const settings = { name: String(engine["name"]), model: modelOf(engine), kwargs: {}, isContained: false };
  const used = agent?.configure(settings).spec ?? without(engine, engineKeys);
  if (ignored.length === 0) return { document: { engine: used } };
  const warning = `The file is an evaluation; only its engine is used. Ignored: ${ignored.join(", ")}.`;
  return { document: { engine: used }, warning };
}

function without(engine: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(engine).filter(([name]) => !names.includes(name)));
}

function modelOf({ model }: Readonly<Record<string, unknown>>): EvaluationAgentSettings["model"] {
  const text = (name: string): string | undefined => {
    const value = isRecord(model) ? model[name] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { provider: text("provider"), name: text("name"), baseUrl: text("base_url") };
}
