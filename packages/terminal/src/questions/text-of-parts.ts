import type { Part } from "@switchyard/contracts";

/** What can be shown of a question as text. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "data" ? JSON.stringify(part.value) : `[${part.type}]`;
    })
    .join("\n");
}
