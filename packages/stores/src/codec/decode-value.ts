import { isRecord, MAX_STORED_DEPTH, setField, TAG, TAG_LIKE } from "./encode-value.ts";

/** Function that creates the error for a stored value which is invalid in this format. */
export type Refuse = (problem: string) => Error;

function decodeTagged(record: Record<string, unknown>, refuse: Refuse): unknown {
  const { [TAG]: tag, value } = record;
  if (tag === "date" && typeof value === "number" && !Number.isNaN(new Date(value).getTime())) return new Date(value);
  if (tag === "bytes" && typeof value === "string") return new Uint8Array(Buffer.from(value, "base64"));
  if (tag === "number" && value === "-0") return -0;
  throw refuse(`it holds a value of the unknown kind ${JSON.stringify(tag)}`);
}

function decodeFields(record: Record<string, unknown>, refuse: Refuse, depth: number): unknown {
  if (Object.hasOwn(record, TAG)) return decodeTagged(record, refuse);
  const names = Object.keys(record);
  if (names.some((name) => TAG_LIKE.test(name))) {
    return Object.fromEntries(
      names.map((name) => [TAG_LIKE.test(name) ? name.slice(1) : name, decodeAt(record[name], refuse, depth + 1)]),
    );
  }
  for (const name of names) {
    const value = record[name];
    const decoded = decodeAt(value, refuse, depth + 1);
    if (decoded !== value) setField(record, name, decoded);
  }
  return record;
}

function decodeAt(value: unknown, refuse: Refuse, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  // An encoded date or byte array is an object, so it is nested one level deeper than the value.
  if (depth > MAX_STORED_DEPTH + 1) throw refuse(`it is deeper than ${MAX_STORED_DEPTH} levels`);
  if (!Array.isArray(value)) return isRecord(value) ? decodeFields(value, refuse, depth) : value;
  for (let index = 0; index < value.length; index += 1) value[index] = decodeAt(value[index], refuse, depth + 1);
  return value;
}

/** Decodes the output of `encodeValue`, reusing the parsed value. Throws the error of `refuse` for an invalid value. */
export function decodeValue(value: unknown, refuse: Refuse): unknown {
  return decodeAt(value, refuse, 0);
}
