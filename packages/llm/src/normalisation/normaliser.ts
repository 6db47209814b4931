/** A JSON object of a provider's response. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Normalises the responses of one wire format before the AI SDK parses them. A normaliser corrects fields that are
 * missing, duplicated or of another JSON type than documented, as sent by gateways and local servers. All corrections
 * of this kind are in this folder. Fields without influence on the content are filled in or dropped. Tool calls get
 * their intended index and arguments. Content is never invented: if it is unusable, the AI SDK rejects the response,
 * and the error names the field's path.
 */
export interface Normaliser {
  /** Normalises a complete response. Returns the same object if nothing changed. */
  response(response: JsonRecord): JsonRecord;
  /**
   * Converts a complete response to the data of equivalent stream events, for servers that do not stream. `undefined`
   * if the body is not a response, for example an error. The events are then normalised like the events of a stream.
   */
  events(response: JsonRecord): readonly string[] | undefined;
  /** Creates a normaliser for the events of one stream. */
  openStream(): StreamNormaliser;
}

/** Normalises the events of one stream. */
export interface StreamNormaliser {
  /**
   * Returns whether a text may contain an event that needs a correction. The text, decoded as Latin-1, is a chunk of a
   * stream. If the result is true, the function is called again for each event of the chunk. Chunks and events for
   * which it returns false are not parsed. The function must be fast, because it is called for every chunk.
   */
  isSuspect(text: string): boolean;
  /** Normalises an event, possibly into several. Returns the same object if nothing changed. */
  event(event: JsonRecord): JsonRecord | readonly JsonRecord[];
}

/** Returns the object with changed fields; `undefined` removes a field. Returns the same object if nothing changed. */
export function withFields(record: JsonRecord, changes: JsonRecord): JsonRecord {
  const changed = Object.entries(changes).filter(([name, value]) => record[name] !== value);
  if (changed.length === 0) return record;
  const result: Record<string, unknown> = { ...record, ...Object.fromEntries(changed) };
  for (const [name, value] of changed) if (value === undefined) delete result[name];
  return result;
}

/** Maps the elements of an array. Returns the same array if nothing changed. */
export function mapList(
  list: readonly unknown[],
  map: (element: unknown, index: number) => unknown,
): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((element, index) => element === list[index]) ? list : mapped;
}

/** Returns a string, converting numbers. `undefined` for anything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}

/** Returns a number, converting numeric strings. `undefined` for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/**
 * Returns the arguments of a tool call as JSON text. Objects are serialised; missing arguments become an empty text.
 */
export function asArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
