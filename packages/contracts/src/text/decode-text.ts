import { EngineError } from "../errors/engine-error.ts";

/** Decodes a UTF-8 document. Throws `input.unreadable`, which names `path`, for invalid bytes. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new EngineError("input.unreadable", { path, problem: "it is not UTF-8 text" }, { cause });
  }
}
