import { EngineError } from "@switchyard/contracts";
import { parseRule } from "@switchyard/settings";
import { InvalidArgumentError } from "commander";

/** Adds a rule of an option that can be repeated. Throws `InvalidArgumentError`. */
export function addRule(text: string, rules: readonly string[] = []): string[] {
  const problem = problemOf(text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return [...rules, text];
}

function problemOf(text: string): string | undefined {
  try {
    parseRule(text);
    return undefined;
  } catch (error) {
    if (!EngineError.is(error, "config.invalid")) throw error;
    return String(error.details["problem"]);
  }
}
