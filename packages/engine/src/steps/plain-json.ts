import { EngineError } from "@switchyard/contracts";

/**
 * Name of the field that marks an encoded date or byte array. Other fields whose names could be confused with it get an
 * additional `$` in front.
 */
const TAG = "$type";
const TAG_LIKE = /^\$+type$/u;

/** Returns true if a value is an object, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapFields(
  record: Readonly<Record<string, unknown>>,
  { rename, map }: { rename: (name: string) => string; map: (value: unknown) => unknown },
): Record<string, unknown> {
  const present = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [TAG_LIKE.test(name) ? rename(name) : name, map(value)]));
}

/** Encodes plain data, including dates and bytes, as JSON data. */
export function toJson(value: unknown): unknown {
  if (value instanceof Date) return { [TAG]: "date", value: value.getTime() };
  if (value instanceof Uint8Array) return { [TAG]: "bytes", value: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(toJson);
  return isRecord(value) ? mapFields(value, { rename: (name) => `$${name}`, map: toJson }) : value;
}

/** Decodes the output of {@link toJson}. Throws `checkpoint.invalid` if a value has an unknown type. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (!isRecord(value)) return value;
  if (!Object.hasOwn(value, TAG)) return mapFields(value, { rename: (name) => name.slice(1), map: fromJson });
  const { [TAG]: tag, value: encoded } = value;
  if (tag === "date" && typeof encoded === "number") return new Date(encoded);
  if (tag === "bytes" && typeof encoded === "string") return new Uint8Array(Buffer.from(encoded, "base64"));
  throw new EngineError("checkpoint.invalid", { problem: "the state of the step has a value of an unknown type" });
}
