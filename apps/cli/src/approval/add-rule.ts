import { EngineError } from "@switchyard/contracts";
import { parseRule } from "@switchyard/settings";
import { InvalidArgumentError } from "commander";

/**
 * Parses the value of a repeatable rule option and appends the rule to those of earlier occurrences. Throws
 * `InvalidArgumentError` for an invalid rule.
 */
export function addRule(text: string, rules: readonly string[] = []): string[] {
  try {
    parseRule(text);
  } catch (error) {
    if (!EngineError.is(error, "config.invalid")) throw error;
    throw new InvalidArgumentError(String(error.details["problem"]));
  }
  return [...rules, text];
}
