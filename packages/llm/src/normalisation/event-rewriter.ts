import { isRecord, jsonValue } from "../failure/error-info.ts";
import type { StreamNormaliser } from "./normaliser.ts";

const EVENT_BREAK = /(\r?\n\r?\n|\r\r)/;
const NOTHING = Buffer.alloc(0);

/** Where the last whole event of some bytes ends; 0 if none does. */
function endOfEvents(bytes: Buffer): number {
  const { byteLength } = bytes;
  if (bytes[byteLength - 1] === 0x0a && bytes[byteLength - 2] === 0x0a) return byteLength;
  const endOf = (mark: string): number => {
    const at = bytes.lastIndexOf(mark);
    return at < 0 ? 0 : at + mark.length;
  };
  return Math.max(endOf("\n\n"), endOf("\n\r\n"), endOf("\r\r"));
}

/** Corrects server-sent events in the bytes of a stream. Bytes are held back only until their event is whole. */
export class EventRewriter {
  readonly #normaliser: StreamNormaliser;
  #held: Buffer = NOTHING;

  constructor(normaliser: StreamNormaliser) {
    this.#normaliser = normaliser;
  }

  /** The bytes to hand on; may be none. */
  add(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const all = this.#held.byteLength === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const end = endOfEvents(all);
    this.#held = end === all.byteLength ? NOTHING : all.subarray(end);
    return end === 0 ? NOTHING : this.#rewritten(all.subarray(0, end));
  }

  /** What is left at the end: an event that was not whole. */
  end(): Uint8Array {
    const rest = this.#held;
    this.#held = NOTHING;
    return rest;
  }

  #rewritten(bytes: Buffer): Uint8Array {
    // All that tells events apart is ASCII, and Latin-1 is read without decoding.
    const text = bytes.toString("latin1");
    if (!this.#normaliser.isSuspect(text)) return bytes;
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
    if (!this.#normaliser.isSuspect(text)) return text;
    const lines = text.split(/\r\n|[\r\n]/);
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
    const event = jsonValue(Buffer.from(data.join("\n"), "latin1").toString());
    if (!isRecord(event)) return text;
    const corrected = this.#normaliser.event(event);
    if (corrected === event) return text;
    const json = Buffer.from(JSON.stringify(corrected)).toString("latin1");
    return [...lines.filter((line) => !line.startsWith("data:")), `data: ${json}`].join("\n");
  }
}
