import { messageOf } from "@switchyard/contracts";
import { type Field, fail } from "./field.ts";
import { readScalars } from "./scalar-fields.ts";

/** Reads the patterns of files to collect. */
export async function readGlobs(field: Field): Promise<string[]> {
  const { compileGlob } = await import("@switchyard/environment");
  const patterns = readScalars(field);
  for (const [index, pattern] of patterns.entries()) {
    try {
      compileGlob(pattern);
    } catch (error) {
      fail(field, `has an invalid pattern at ${index}: ${messageOf(error)}`);
    }
  }
  return patterns;
}
