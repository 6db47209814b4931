import { EngineError } from "@switchyard/contracts";

/** A document as text. Throws `input.unreadable` when its bytes are no UTF-8: what was meant cannot be known. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new EngineError("input.unreadable", { path, problem: "it is not UTF-8 text" }, { cause });
  }
}
