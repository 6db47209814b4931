import { isRecord } from "../json/is-record.ts";

/** Settings of the `engine` block that only the evaluation tool skill-up uses. */
const EVALUATION_ENGINE_SETTINGS: readonly string[] = ["version", "entry", "kwargs"];

/** Maps the names of agents that are built into the evaluation tool skill-up to their names in Switchyard. */
const EVALUATION_AGENTS: ReadonlyMap<unknown, string> = new Map([
  ["claude_code", "claude-code"],
  ["claude-code", "claude-code"],
  ["codex", "codex"],
]);

/** Engine settings that were found in a configuration document. */
export interface EngineSettings {
  /** Configuration document without settings that only evaluations use. */
  readonly document: unknown;
  /** Warning about the ignored settings, one sentence; `undefined` if there are none. */
  readonly warning?: string | undefined;
}

/**
 * Returns the engine settings of a configuration document. An evaluation file, which contains both `schema_version` and
 * `engine`, is reduced to its `engine` block, and a warning lists the ignored settings. The name of an agent that is
 * built into the evaluation tool skill-up is replaced with its Switchyard name. Its `custom` block is removed, as
 * skill-up ignores it. Other documents are returned unchanged. See custom-engine: configuration entry point.
 */
export function engineSettingsOf(document: unknown): EngineSettings {
  if (!isRecord(document) || typeof document["schema_version"] !== "string") return { document };
  const { engine, ...others } = document;
  if (!isRecord(engine)) return { document };
  const agent = EVALUATION_AGENTS.get(engine["name"]);
  const unread = agent === undefined ? EVALUATION_ENGINE_SETTINGS : [...EVALUATION_ENGINE_SETTINGS, "custom"];
  const engineKeys = unread.filter((name) => Object.hasOwn(engine, name));
  const ignored = [
    ...Object.keys(others).filter((name) => name !== "schema_version"),
    ...engineKeys.map((name) => `engine.${name}`),
  ];
  const named = agent === undefined ? engine : { ...engine, name: agent };
  const remaining = Object.fromEntries(Object.entries(named).filter(([name]) => !engineKeys.includes(name)));
  if (ignored.length === 0) return { document: { engine: remaining } };
  const warning = `The file is an evaluation; only its engine is used. Ignored: ${ignored.join(", ")}.`;
  return { document: { engine: remaining }, warning };
}
