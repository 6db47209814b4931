import type { OutputOptions } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";
import { usageError } from "../program/usage-error.ts";

/** What the answer has to be by the JSON Schema in a file. Rejects with `input.*`, and `usage.invalid` where it is none. */
export async function readOutputSchema(context: CommandContext, path: string): Promise<OutputOptions> {
  const schema = await readJson(context, path);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw usageError(`${path} holds no JSON Schema: that is an object.`, "run");
  }
  return { schema: { ...schema } };
}
