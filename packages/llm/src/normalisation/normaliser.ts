/** A JSON object of a provider's response. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Corrects the responses of one wire format before the AI SDK's package for it parses them. This folder is the only
 * place where that happens. Corrected are fields that are missing, doubled or of another JSON type than documented, as
 * gateways and local servers send them: decorative fields are filled in or dropped, tool calls get the index and the
 * arguments they were meant to have. What carries content is never invented: if it is unusable, the package refuses the
 * response, and the error names the field's path.
 */
export interface Normaliser {
  /** A whole response; the very same object if nothing had to be corrected. */
  whole(response: JsonRecord): JsonRecord;
  /**
   * Data of the events that say the same as a whole response, for servers that do not stream; `undefined` if it is none, such
   * as an error. They are corrected like those of a stream.
   */
  events(response: JsonRecord): readonly string[] | undefined;
  /** The events of one stream. */
  openStream(): StreamNormaliser;
}

/** Corrects the events of one stream. */
export interface StreamNormaliser {
  /**
   * Whether some event of a text may need a correction. Called for every piece of a stream, as Latin-1, and then for
   * each event of a piece that may; so it has to be cheap. Events for which it answers false are not parsed.
   */
  isSuspect(text: string): boolean;
  /** An event, or several instead of it; the very same object if nothing had to be corrected. */
  event(event: JsonRecord): JsonRecord | readonly JsonRecord[];
}

/** The same object with other fields; `undefined` removes a field. The very same one if nothing changes. */
export function withFields(record: JsonRecord, changes: JsonRecord): JsonRecord {
  const changed = Object.entries(changes).filter(([name, value]) => record[name] !== value);
  if (changed.length === 0) return record;
  const result: Record<string, unknown> = { ...record, ...Object.fromEntries(changed) };
  for (const [name, value] of changed) if (value === undefined) delete result[name];
  return result;
}

/** The list with each element mapped; the very same one if no element changes. */
export function mapList(
  list: readonly unknown[],
  map: (element: unknown, index: number) => unknown,
): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((element, index) => element === list[index]) ? list : mapped;
}

/** A text field: numbers as text; `undefined` for what is neither. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}

/** A number field: also digits in a text; `undefined` for what is neither. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Arguments of a call as JSON text: objects are serialised, absent ones are empty. */
export function asArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
