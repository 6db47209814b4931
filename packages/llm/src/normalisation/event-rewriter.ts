import { isRecord, jsonValue } from "../failure/error-info.ts";
import type { JsonRecord, Normaliser, StreamNormaliser } from "./normaliser.ts";

const EVENT_BREAK = /(\r?\n\r?\n|\r\r)/;
const EMPTY = Buffer.alloc(0);
/** Length of the longest delimiter that `endOfEvents` searches for, in bytes. */
const DELIMITER_BYTES = 3;

function isList(value: JsonRecord | readonly JsonRecord[]): value is readonly JsonRecord[] {
  return Array.isArray(value);
}

/** Returns the index at which the last complete event in some bytes ends, or 0 if there is none. */
function endOfEvents(bytes: Buffer): number {
  const { byteLength } = bytes;
  if (bytes[byteLength - 1] === 0x0a && bytes[byteLength - 2] === 0x0a) return byteLength;
  const endOf = (mark: string): number => {
    const at = bytes.lastIndexOf(mark);
    return at < 0 ? 0 : at + mark.length;
  };
  return Math.max(endOf("\n\n"), endOf("\n\r\n"), endOf("\r\r"));
}

/**
 * Normalises server-sent events in a byte stream. Bytes are buffered only until the event that contains them is
 * complete.
 */
export class EventRewriter {
  readonly #normaliser: Normaliser;
  readonly #stream: StreamNormaliser;
  /** Chunks of an event that is not complete yet. They are joined only once, when the event is complete. */
  #open: Buffer[] = [];
  /** The last bytes of `#open`, in which a delimiter may have begun. */
  #tail: Buffer = EMPTY;
  /**
   * Chunks of a response that is one JSON text, from servers that do not stream. `undefined` if the response consists
   * of events.
   */
  #jsonChunks: Uint8Array[] | undefined;
  #hasBegun = false;

  constructor(normaliser: Normaliser) {
    this.#normaliser = normaliser;
    this.#stream = normaliser.openStream();
  }

  /** Returns the bytes to pass on, possibly none. */
  add(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (!this.#hasBegun) this.#begin(bytes);
    if (this.#jsonChunks !== undefined) {
      this.#jsonChunks.push(piece);
      return EMPTY;
    }
    const end = this.#endOfEventsIn(bytes);
    const last = bytes.subarray(0, end);
    const complete = this.#open.length === 0 || end === 0 ? last : Buffer.concat([...this.#open, last]);
    if (end > 0) this.#clear();
    this.#keep(bytes.subarray(end));
    return end === 0 ? EMPTY : this.#rewritten(complete);
  }

  /**
   * Returns the bytes to pass on when the body has ended. If the body is a stream of events, these are the bytes of an
   * incomplete last event, usually none. If the body is one JSON text, these are the events to which it is converted.
   */
  end(): Uint8Array {
    if (this.#jsonChunks !== undefined) return this.#eventsOf(Buffer.concat(this.#jsonChunks));
    const rest = Buffer.concat(this.#open);
    this.#clear();
    return rest;
  }

  /**
   * Returns the index in `bytes` at which the last complete event ends. The event may have begun in an earlier chunk.
   * Returns 0 if no event ends in `bytes`.
   */
  #endOfEventsIn(bytes: Buffer): number {
    const end = endOfEvents(bytes);
    if (end > 0 || this.#tail.byteLength === 0) return end;
    const border = Buffer.concat([this.#tail, bytes.subarray(0, DELIMITER_BYTES - 1)]);
    return Math.max(0, endOfEvents(border) - this.#tail.byteLength);
  }

  #keep(bytes: Buffer): void {
    if (bytes.byteLength === 0) return;
    this.#open.push(bytes);
    const known = bytes.byteLength < DELIMITER_BYTES ? Buffer.concat([this.#tail, bytes]) : bytes;
    this.#tail = known.subarray(Math.max(0, known.byteLength - DELIMITER_BYTES + 1));
  }

  #clear(): void {
    this.#open = [];
    this.#tail = EMPTY;
  }

  #begin(bytes: Buffer): void {
    const first = /\S/.exec(bytes.toString("latin1"))?.[0];
    if (first === undefined) return;
    this.#hasBegun = true;
    if (first === "{" || first === "[") this.#jsonChunks = [];
  }

  /** Returns whether a JSON text is a complete response. */
  isComplete(bytes: Buffer): boolean {
    return this.#dataOf(bytes) !== undefined;
  }

  /**
   * Converts a complete JSON response to the data of equivalent stream events. `undefined` if the text is not a
   * response.
   */
  #dataOf(bytes: Buffer): readonly string[] | undefined {
    const value = jsonValue(bytes.toString());
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const events = list.map((response) => (isRecord(response) ? this.#normaliser.events(response) : undefined));
    return events.length === 0 || events.includes(undefined) ? undefined : events.flatMap((data) => data ?? []);
  }

  /** Converts a complete JSON response to stream events. Returns the text unchanged if it is not a response. */
  #eventsOf(bytes: Buffer): Uint8Array {
    const data = this.#dataOf(bytes);
    if (data === undefined) return bytes;
    return this.#rewritten(Buffer.from(data.map((one) => `data: ${one}\n\n`).join("")));
  }

  #rewritten(bytes: Buffer): Uint8Array {
    // Event delimiters are ASCII, so the bytes can be searched as Latin-1, which is faster than decoding UTF-8.
    const text = bytes.toString("latin1");
    if (!this.#stream.isSuspect(text)) return bytes;
    const parts = text.split(EVENT_BREAK);
    let isChanged = false;
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 1) continue;
      const rewritten = this.#event(part);
      isChanged ||= rewritten !== part;
      parts[index] = rewritten;
    }
    return isChanged ? Buffer.from(parts.join(""), "latin1") : bytes;
  }

  #event(text: string): string {
    if (!this.#stream.isSuspect(text)) return text;
    const lines = text.split(/\r\n|[\r\n]/);
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
    const event = jsonValue(Buffer.from(data.join("\n"), "latin1").toString());
    if (!isRecord(event)) return text;
    const corrected = this.#stream.event(event);
    if (corrected === event) return text;
    const all = isList(corrected) ? corrected : [corrected];
    const texts = all.map((one) => `data: ${Buffer.from(JSON.stringify(one)).toString("latin1")}`);
    return [...lines.filter((line) => !line.startsWith("data:")), texts.join("\n\n")].join("\n");
  }
}
