import type { FileContent } from "@switchyard/contracts";
import { joinBytes } from "./join-bytes.ts";

/** The bytes of a file, in one piece; those that were given in one are handed out as they are. */
export function toBytes(content: FileContent): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : joinBytes(content);
}

/** The bytes of a file in memory of their own: whoever gave them may use theirs again. */
export function copyBytes(content: FileContent): Uint8Array {
  return typeof content === "string" ? toBytes(content) : toBytes(content).slice();
}
