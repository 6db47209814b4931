import type { OutputOptions } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";
import { usageError } from "../program/usage-error.ts";

/**
 * Reads the JSON Schema of the response from a file. Rejects with `input.*`, or with `usage.invalid` if the file
 * contains no JSON Schema.
 */
export async function readOutputSchema(context: CommandContext, path: string): Promise<OutputOptions> {
  const schema = await readJson(context, path);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw usageError(`${path} contains no JSON Schema, which must be an object.`, "run");
  }
  return { schema: { ...schema } };
}
