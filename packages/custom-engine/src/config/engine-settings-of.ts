import { isRecord } from "../json/is-record.ts";

/** Settings of the block `engine` that only the evaluation of skill-up reads. */
const EVALUATION_ENGINE_SETTINGS: readonly string[] = ["version", "entry", "kwargs"];

/** The engine settings of a document. */
export interface EngineSettings {
  /** The document, without what only an evaluation reads. */
  readonly document: unknown;
  /** One sentence about the settings that were left out; `undefined` when there are none. */
  readonly warning?: string | undefined;
}

/**
 * Returns the engine settings of a document. An evaluation file, which has `schema_version` beside `engine`, is reduced
 * to its block `engine`, and the warning names what is ignored. Every other document is returned as it is.
 * custom-engine: configuration entry point.
 */
export function engineSettingsOf(document: unknown): EngineSettings {
  if (!isRecord(document) || typeof document["schema_version"] !== "string") return { document };
  const { engine, ...others } = document;
  if (!isRecord(engine)) return { document };
  const own = EVALUATION_ENGINE_SETTINGS.filter((name) => Object.hasOwn(engine, name));
  const ignored = [
    ...Object.keys(others).filter((name) => name !== "schema_version"),
    ...own.map((name) => `engine.${name}`),
  ];
  const kept = Object.fromEntries(Object.entries(engine).filter(([name]) => !own.includes(name)));
  if (ignored.length === 0) return { document: { engine: kept } };
  const warning = `The file is an evaluation; only its engine is used. Ignored: ${ignored.join(", ")}.`;
  return { document: { engine: kept }, warning };
}
