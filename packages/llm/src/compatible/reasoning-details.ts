import type { JSONObject } from "@ai-sdk/provider";
import { isJsonObject } from "../request/plain-data.ts";

/** Fields whose chunks are concatenated: thinking text, a summary, encrypted data. */
const JOINED = ["text", "summary", "data"];

/** OpenRouter's `reasoning_details`. A stream sends each entry in chunks, one after another. */
export class ReasoningDetails {
  readonly #entries: JSONObject[] = [];

  /** Adds the entries of a message or the chunks of an event. */
  add(pieces: readonly unknown[]): void {
    for (const piece of pieces) if (isJsonObject(piece)) this.#addPiece(piece);
  }

  /** Returns the entries of `reasoning_details`, ordered by their start. */
  all(): readonly JSONObject[] {
    return this.#entries;
  }

  #addPiece(piece: JSONObject): void {
    const last = this.#entries.at(-1);
    const continues =
      last !== undefined &&
      typeof piece["index"] === "number" &&
      last["index"] === piece["index"] &&
      last["type"] === piece["type"] &&
      (piece["id"] === undefined ||
        piece["id"] === null ||
        last["id"] === undefined ||
        last["id"] === null ||
        last["id"] === piece["id"]);
    if (!continues) {
      this.#entries.push({ ...piece });
      return;
    }
    for (const [name, value] of Object.entries(piece)) {
      const present = last[name];
      if (JOINED.includes(name) && typeof present === "string" && typeof value === "string")
        last[name] = present + value;
      else if (value !== null && value !== undefined) last[name] = value;
    }
  }
}
