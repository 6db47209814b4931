import type { FileContent } from "@switchyard/contracts";

/** The bytes of a file; those that were given are handed out as they are. */
export function toBytes(content: FileContent): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** The bytes of a file in memory of their own: whoever gave them may use theirs again. */
export function copyBytes(content: FileContent): Uint8Array {
  return typeof content === "string" ? toBytes(content) : content.slice();
}
