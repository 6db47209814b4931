import { isRecord } from "../json/is-record.ts";

/** Settings of the `engine` block that only skill-up's evaluation reads. */
const EVALUATION_ENGINE_SETTINGS: readonly string[] = ["version", "entry", "kwargs"];

/** Our names of the agents that skill-up runs without `engine.custom`, by skill-up's names. */
const EVALUATION_AGENTS: ReadonlyMap<unknown, string> = new Map([
  ["claude_code", "claude-code"],
  ["claude-code", "claude-code"],
  ["codex", "codex"],
]);

/** The engine settings of a document. */
export interface EngineSettings {
  /** Document without settings that only an evaluation reads. */
  readonly document: unknown;
  /** Warning about the ignored settings, one sentence; `undefined` if there are none. */
  readonly warning?: string | undefined;
}

/**
 * Returns the engine settings of a document. An evaluation file, which has `schema_version` beside `engine`, is reduced
 * to its `engine` block, and the warning lists what is ignored. A built-in agent of skill-up is renamed to our name,
 * without its `custom` block, which skill-up ignores. Other documents are returned unchanged. custom-engine:
 * configuration entry point.
 */
export function engineSettingsOf(document: unknown): EngineSettings {
  if (!isRecord(document) || typeof document["schema_version"] !== "string") return { document };
  const { engine, ...others } = document;
  if (!isRecord(engine)) return { document };
  const agent = EVALUATION_AGENTS.get(engine["name"]);
  const unread = agent === undefined ? EVALUATION_ENGINE_SETTINGS : [...EVALUATION_ENGINE_SETTINGS, "custom"];
  const own = unread.filter((name) => Object.hasOwn(engine, name));
  const ignored = [
    ...Object.keys(others).filter((name) => name !== "schema_version"),
    ...own.map((name) => `engine.${name}`),
  ];
  const named = agent === undefined ? engine : { ...engine, name: agent };
  const kept = Object.fromEntries(Object.entries(named).filter(([name]) => !own.includes(name)));
  if (ignored.length === 0) return { document: { engine: kept } };
  const warning = `The file is an evaluation; only its engine is used. Ignored: ${ignored.join(", ")}.`;
  return { document: { engine: kept }, warning };
}
