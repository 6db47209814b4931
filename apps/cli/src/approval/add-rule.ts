import { EngineError } from "@switchyard/contracts";
import { parseRule } from "@switchyard/settings";
import { InvalidArgumentError } from "commander";

/**
 * Parses the value of a repeatable rule option and appends the rule to the rules of earlier occurrences of the option.
 * Throws `InvalidArgumentError` for an invalid rule.
 */
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
