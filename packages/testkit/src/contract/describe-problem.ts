import { AssertionError } from "node:assert";
import { inspect } from "node:util";
import { messageOf } from "@switchyard/contracts";

const MAX_LENGTH = 400;

function show(value: unknown): string {
  const text = inspect(value, {
    depth: 4,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: 20,
    maxStringLength: 120,
  });
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

/** Returns a problem in one line, with actual and expected value instead of a test runner's diff. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof AssertionError)) return messageOf(error);
  const { actual, expected, generatedMessage, operator } = error;
  const [sentence = ""] = error.message.split("\n");
  const compares = /equal/i.test(operator) && !isBoolean(actual) && !isBoolean(expected);
  const found = `found ${show(actual)}, expected ${show(expected)}`;
  if (generatedMessage) return found;
  return compares ? `${sentence}: ${found}` : sentence;
}
