import type { FileContent } from "@switchyard/contracts";

/** Returns the bytes of a file's content. Byte arrays are returned without copying. */
export function toBytes(content: FileContent): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** Returns a copy of a file's content, because the caller may reuse its buffer. */
export function copyBytes(content: FileContent): Uint8Array {
  return typeof content === "string" ? toBytes(content) : content.slice();
}
