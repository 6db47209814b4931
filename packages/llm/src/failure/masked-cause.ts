import { causesOf, type Mask, oneLine } from "./problem-text.ts";

/**
 * Returns a copy of a thrown error that is safe to store and print. For each error in the chain of causes, it contains
 * kind, one masked line, system code and stack location. Request and response, which the AI SDK attaches to its errors,
 * are dropped.
 */
export function maskedCause(thrown: unknown, mask: Mask): Error {
  const chain = causesOf(thrown);
  if (chain.length === 0) return new Error(oneLine(textOf(thrown), mask));
  return chain.reduceRight<Error | undefined>((cause, error) => copyOf(error, cause, mask), undefined) ?? new Error();
}

function copyOf(error: Error, cause: Error | undefined, mask: Mask): Error {
  const copy = new Error(oneLine(error.message, mask), cause === undefined ? {} : { cause });
  const { stack = "" } = error;
  const framesAt = stack.indexOf("\n    at ");
  const frames = framesAt < 0 ? "" : stack.slice(framesAt);
  Object.defineProperty(copy, "name", { value: error.name });
  Object.defineProperty(copy, "stack", { value: `${error.name}: ${copy.message}${mask(frames)}` });
  return "code" in error && typeof error.code === "string" ? Object.assign(copy, { code: mask(error.code) }) : copy;
}

function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
}
