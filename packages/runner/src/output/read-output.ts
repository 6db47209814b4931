import { messageOf } from "@switchyard/contracts";
import type { OutputOptions } from "./output-options.ts";

/** An answer that fits, or what is wrong with it. */
export type ReadOutput =
  | { readonly kind: "fits"; readonly text: string; readonly value: unknown }
  | { readonly kind: "differs"; readonly problem: string };

/** Models put documents between such lines whatever they are told. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/;
/** Most characters of a problem that are repeated to the engine and to people. */
const MAX_PROBLEM = 2_000;

/** Reads the last words of an engine as a document of that schema; a fence round it is no part of it. */
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
