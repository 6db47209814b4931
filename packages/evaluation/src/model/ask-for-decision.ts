import { EngineError, messageOf } from "@switchyard/contracts";
import type { AskModel, EvalPrompt } from "./ask-model.ts";
import { jsonOf } from "./json-of.ts";

/** Options for `askForDecision`. */
export interface DecisionOptions<T> {
  /** Who decides, for messages. */
  readonly subject: string;
  /** Converts the JSON value of the response. Throws if the value is not a decision. */
  readonly parse: (value: unknown) => T;
  /** Aborts the call. */
  readonly signal: AbortSignal;
}

/**
 * Asks a model for a decision, in JSON. If the response cannot be used, the model is asked once more. The whole
 * response must be one JSON value, so that JSON that the model merely quotes decides nothing. Rejects with
 * `llm.no_object` if the second response cannot be used either.
 */
export async function askForDecision<T>(
  ask: AskModel,
  prompt: EvalPrompt,
  { subject, parse, signal }: DecisionOptions<T>,
): Promise<T> {
  const first = await ask(prompt, signal);
  try {
    return decisionIn(first.text, parse);
  } catch (error) {
    const correction = [
      `${prompt.question}\n`,
      `Your earlier response could not be used: ${messageOf(error)}. It was, as a JSON string:`,
      JSON.stringify(first.text),
      "Respond again with only the JSON object.",
    ].join("\n");
    const second = await ask({ ...prompt, question: correction }, signal);
    try {
      return decisionIn(second.text, parse);
    } catch (cause) {
      throw new EngineError("llm.no_object", { problem: `${subject}: ${messageOf(cause)}` }, { cause });
    }
  }
}

function decisionIn<T>(text: string, parse: (value: unknown) => T): T {
  const parsed = jsonOf(text);
  if (parsed === undefined) throw new Error("it is not JSON");
  return parse(parsed.value);
}
