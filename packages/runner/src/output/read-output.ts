import { messageOf } from "@switchyard/contracts";
import type { OutputOptions } from "./output-options.ts";

/** A parsed document that matches the output schema, or the problem with the final message. */
export type ReadOutput =
  | { readonly kind: "fits"; readonly text: string; readonly value: unknown }
  | { readonly kind: "differs"; readonly problem: string };

/** Models often wrap documents in a code fence, even if told not to. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/;
/** Maximum length of the problem description for the engine and the user, in characters. A longer one is cut. */
const MAX_PROBLEM = 2_000;

/** Parses an engine's final message and checks it against the schema. Ignores a surrounding code fence. */
export async function readOutput(message: string, { schema }: OutputOptions): Promise<ReadOutput> {
  const trimmed = message.trim();
  const text = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return differs(text === "" ? "it is empty" : `it is not valid JSON: ${messageOf(error)}`);
  }
  const { compileSchema } = await import("@switchyard/json-schema");
  const problem = compileSchema(schema, { subject: "the document" })(value);
  return problem === undefined ? { kind: "fits", text, value } : differs(problem);
}

function differs(problem: string): ReadOutput {
  return { kind: "differs", problem: problem.length > MAX_PROBLEM ? `${problem.slice(0, MAX_PROBLEM)}…` : problem };
}
