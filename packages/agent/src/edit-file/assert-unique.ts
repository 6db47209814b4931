import { EngineError } from "@switchyard/contracts";
import type { Replacement } from "./replacement.ts";

/**
 * Throws `edit.text_not_unique` if there are several occurrences and `replaceAll` is false. See loop: edit_file, §3.3.
 */
export function assertUnique(count: number, { replaceAll }: Pick<Replacement, "replaceAll">, path: string): void {
  if (count > 1 && !replaceAll) throw new EngineError("edit.text_not_unique", { path, count });
}
