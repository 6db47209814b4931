import { causesOf, type Mask, oneLine } from "./problem-text.ts";

/**
 * What was thrown, as it may be kept and printed: the kind, one masked line, the system's code and the place of each
 * error in the chain. The AI SDK hangs the request and the whole answer on its errors; those stay behind.
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
