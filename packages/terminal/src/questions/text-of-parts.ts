import type { Part } from "@switchyard/contracts";

/** Converts the text parts of a question to text. Parts of other types appear as `[type]`. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "data" ? JSON.stringify(part.value) : `[${part.type}]`;
    })
    .join("\n");
}
