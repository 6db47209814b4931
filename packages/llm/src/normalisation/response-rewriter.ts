import { isRecord, jsonValue } from "../failure/error-info.ts";
import type { Normaliser } from "./normaliser.ts";

const EMPTY = Buffer.alloc(0);

/** Normalises a response that is one JSON text. The response is passed on once it is complete. */
export class ResponseRewriter {
  readonly #normaliser: Normaliser;
  readonly #pieces: Uint8Array[] = [];

  constructor(normaliser: Normaliser) {
    this.#normaliser = normaliser;
  }

  /** Buffers the bytes. */
  add(piece: Uint8Array): Uint8Array {
    this.#pieces.push(piece);
    return EMPTY;
  }

  /** Returns the complete text. */
  end(): Uint8Array {
    const bytes = Buffer.concat(this.#pieces);
    const response = jsonValue(bytes.toString());
    if (!isRecord(response)) return bytes;
    const corrected = this.#normaliser.response(response);
    return corrected === response ? bytes : Buffer.from(JSON.stringify(corrected));
  }
}
