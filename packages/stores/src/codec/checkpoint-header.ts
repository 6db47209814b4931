import { type BoardSnapshot, type Checkpoint, MAIN_CHANNEL } from "@switchyard/contracts";
import { encodeValue, isRecord } from "./encode-value.ts";

/**
 * Parts that may be missing in a snapshot of a run's key-value state (board), if custom code created the snapshot. The
 * loaded checkpoint then lacks the same parts.
 */
export type MissingPart = "channels" | "main_channel";

/** A checkpoint without the run's key-value state (board). */
export type CheckpointHeader = Omit<Checkpoint, "board"> & { readonly lacking?: MissingPart | undefined };

/** Returns which part is missing in a snapshot of a run's key-value state (board). `undefined` if it is complete. */
export function missingPartOf(snapshot: BoardSnapshot): MissingPart | undefined {
  const property = Object.getOwnPropertyDescriptor(snapshot, "channels");
  // Only a `Board` creates snapshots with a lazily computed field. These snapshots are complete, and reading the field
  // would be expensive.
  if (property?.get !== undefined) return undefined;
  if (snapshot.channels === undefined) return "channels";
  return Object.hasOwn(snapshot.channels, MAIN_CHANNEL) || Object.hasOwn(snapshot.channels, "")
    ? undefined
    : "main_channel";
}

/** Returns a snapshot of a run's key-value state (board) without the parts that were missing when it was stored. */
export function withoutMissingPart(snapshot: BoardSnapshot, lacking: MissingPart | undefined): BoardSnapshot {
  if (lacking === undefined) return snapshot;
  if (lacking === "channels") return { vars: snapshot.vars };
  const { [MAIN_CHANNEL]: _, ...channels } = snapshot.channels ?? {};
  return { vars: snapshot.vars, channels };
}

/**
 * Returns the fields of a checkpoint's header as JSON text without braces. The field names are those of the stored
 * format. See engine: Checkpoint.
 */
export function headerText(checkpoint: Checkpoint, lacking: MissingPart | undefined): string {
  const encoded = (value: unknown): unknown => (value === undefined ? undefined : encodeValue(value, "checkpoint"));
  const fields = {
    exec_id: checkpoint.execId,
    step: checkpoint.step,
    number: checkpoint.number,
    files: checkpoint.files,
    iteration: encoded(checkpoint.iteration),
    payload: encoded(checkpoint.payload),
    attributes: encoded(checkpoint.attributes),
    timestamp: checkpoint.timestamp,
    original_started_at: checkpoint.originalStartedAt,
    spec_version: checkpoint.specVersion,
    lacking,
  };
  // No other value needs encoding: all other fields are strings.
  return JSON.stringify(fields).slice(1, -1);
}

function isOptional(value: unknown, type: "string" | "number"): boolean {
  return value === undefined || typeof value === type;
}

function isTexts(value: unknown): value is Record<string, string> | undefined {
  return value === undefined || (isRecord(value) && Object.values(value).every((text) => typeof text === "string"));
}

function isMissingPart(value: unknown): value is MissingPart | undefined {
  return value === undefined || value === "channels" || value === "main_channel";
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the header of a decoded record; `undefined` if it is invalid. */
export function headerOf(record: Readonly<Record<string, unknown>>): CheckpointHeader | undefined {
  const { exec_id, number, iteration, payload, attributes, timestamp, lacking } = record;
  const texts = [record["step"], record["files"], record["original_started_at"], record["spec_version"]];
  if (
    typeof exec_id !== "string" ||
    typeof timestamp !== "string" ||
    !texts.every((text) => isOptional(text, "string"))
  ) {
    return undefined;
  }
  if (![number, iteration].every((value) => isOptional(value, "number"))) return undefined;
  if (!isTexts(attributes) || !isMissingPart(lacking)) return undefined;
  const header = {
    execId: exec_id,
    step: optionalText(record["step"]),
    number: typeof number === "number" ? number : undefined,
    files: optionalText(record["files"]),
    iteration: typeof iteration === "number" ? iteration : undefined,
    payload,
    attributes,
    timestamp,
    originalStartedAt: optionalText(record["original_started_at"]),
    specVersion: optionalText(record["spec_version"]),
    lacking,
  };
  // Fields that are not set in the stored header are omitted.
  for (const name of [
    "step",
    "number",
    "files",
    "iteration",
    "payload",
    "attributes",
    "originalStartedAt",
    "specVersion",
    "lacking",
  ] as const) {
    if (header[name] === undefined) delete header[name];
  }
  return header;
}
