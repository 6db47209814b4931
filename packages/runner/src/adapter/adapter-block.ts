import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Settings in an engine configuration for an adapter, which runs a third-party coding agent as an engine. */
export interface AdapterBlock {
  /** Kind of the adapter. */
  readonly kind: string;
  /** Configuration block of the adapter, merged with the model that the engine configuration names. */
  readonly block: Readonly<Record<string, unknown>>;
  /** Maximum number of attempts of a run, including the first, if failed attempts are retried. */
  readonly maxAttempts?: number | undefined;
}

const FIELDS: readonly string[] = ["name", "model", "adapter", "max_attempts"];

/**
 * Returns the configuration block of an adapter, if the configuration's `engine.name` is in `kinds`, the names of the
 * supported adapters. `undefined` for other engines. `engine.model.name` becomes the agent's model. Throws
 * `config.invalid` for unknown fields. See agent-adapter: passthrough config.
 */
export function adapterBlockOf(
  document: unknown,
  { kinds, name: wanted }: { readonly kinds: readonly string[]; readonly name?: string | undefined },
): AdapterBlock | undefined {
  const outer = isRecord(document) ? document : {};
  const engine = isRecord(outer["engine"]) ? outer["engine"] : outer;
  const kind = wanted ?? engine["name"];
  if (typeof kind !== "string" || !kinds.includes(kind)) return undefined;
  const unknown = Object.keys(engine).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    const problem = `the setting is unknown; settings of ${kind} belong in engine.adapter`;
    throw new EngineError("config.invalid", { field: `engine.${unknown}`, problem });
  }
  const { adapter = {}, model } = engine;
  if (!isRecord(adapter))
    throw new EngineError("config.invalid", { field: "engine.adapter", problem: "it is not a map" });
  const name = isRecord(model) ? model["name"] : undefined;
  const maxAttempts = attemptsOf(engine["max_attempts"]);
  return { kind, maxAttempts, block: { ...(typeof name === "string" ? { model: name } : {}), ...adapter } };
}

function attemptsOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw new EngineError("config.invalid", {
    field: "engine.max_attempts",
    problem: "it is not a whole number of 1 or more",
  });
}
