import { EngineError, type ErrorDetails, isErrorCode } from "@switchyard/contracts";
import type { Encoded, EncodedError } from "./encoded.ts";

const CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function isDetails(value: unknown): value is ErrorDetails {
  return typeof value === "object" && value !== null;
}

/** Creates an empty error of the sent error's class, if both sides know it. */
function emptyError({ name, message }: EncodedError, fields: ReadonlyMap<string, unknown>): Error {
  const code = fields.get("code");
  const details = fields.get("details");
  if (name === "EngineError" && typeof code === "string" && isErrorCode(code) && isDetails(details)) {
    return new EngineError(code, details);
  }
  if (fields.has("errors")) return new AggregateError([], message);
  if (name === "AbortError" || name === "TimeoutError") return new DOMException(message, name);
  const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
  return known === undefined ? new Error(message) : new known(message);
}

/** Decodes an error with its cause and fields. */
export function decodeError(encoded: EncodedError, decode: (value: Encoded) => unknown): Error {
  const fields = new Map(encoded.fields.map(([name, value]) => [name, decode(value)]));
  const error = emptyError(encoded, fields);
  const own = { ...Object.fromEntries(fields), stack: encoded.stack };
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(error, name, { value, writable: true, configurable: true, enumerable: isShown(name) });
  }
  if (error.name !== encoded.name) Object.assign(error, { name: encoded.name });
  return error;
}

/** Returns whether a field is listed, which standard ones are not. */
function isShown(name: string): boolean {
  return !["stack", "cause", "errors"].includes(name);
}
