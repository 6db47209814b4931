import { EngineError } from "@switchyard/contracts";
import { parseRule } from "@switchyard/settings";
import { InvalidArgumentError } from "commander";

/** Adds a rule of an option that can be repeated. Throws `InvalidArgumentError`. */
export function addRule(text: string, rules: readonly string[] = []): string[] {
  try {
    parseRule(text);
  } catch (error) {
    if (!EngineError.is(error, "config.invalid")) throw error;
    throw new InvalidArgumentError(String(error.details["problem"]));
  }
  return [...rules, text];
}
