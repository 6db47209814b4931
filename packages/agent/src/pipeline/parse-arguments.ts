import type { ToolArguments } from "@switchyard/contracts";
import { messageOf } from "@switchyard/contracts";

/** Maximum nesting depth of arguments. Tools need no more, and deeper values could overflow recursive code later. */
const MAX_DEPTH = 64;

/** Problem reported for arguments nested too deeply. */
export const TOO_DEEP: string = `they are nested deeper than ${MAX_DEPTH} levels`;

/** Parsed arguments, or the reason for rejecting them. */
export type ParsedArguments = { kind: "parsed"; args: ToolArguments } | { kind: "refused"; problem: string };

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

const NO_UNICODE = "a text in them is not valid Unicode";

/** Returns the problem with a string, number, boolean or null. `undefined` if the value is allowed. */
function problemOfValue(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : NO_UNICODE;
  return typeof value === "number" && !Number.isFinite(value) ? "a number in them is too large" : undefined;
}

/**
 * Returns the problem with an object or array and its direct entries. `undefined` if they are allowed. Does not check
 * nested objects and arrays, but appends them to `below`.
 */
function problemIn(
  value: Readonly<Record<string, unknown>>,
  below: Readonly<Record<string, unknown>>[],
): string | undefined {
  const hasNames = !Array.isArray(value);
  // `JSON.parse` can create a property `__proto__`. Copying it by assignment would set the prototype instead.
  if (hasNames && Object.hasOwn(value, "__proto__")) return "they have a property __proto__";
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (hasNames && !key.isWellFormed()) return NO_UNICODE;
    const entry = value[key];
    if (isContainer(entry)) {
      below.push(entry);
      continue;
    }
    const problem = problemOfValue(entry);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Maximum length of a text that needs no check for overflowing numbers. In a shorter text, a number without an exponent
 * cannot overflow to infinity.
 */
const MAX_PLAIN_CHARS = 256;

/** Matches text that needs a full check: arrays, nested objects, escapes, exponents, and `__proto__`. */
const NOT_PLAIN = /[[\\]|[\s\S]\{|\d[eE]|__proto__/;

/**
 * Returns whether JSON text of an object certainly passes `checkArguments`. A fast path, because this holds for most
 * arguments.
 */
function isPlain(text: string): boolean {
  return text.length <= MAX_PLAIN_CHARS && !NOT_PLAIN.test(text) && text.isWellFormed();
}

/**
 * Returns why arguments cannot be passed to any tool, whatever its schema. `undefined` if they can. Checks all nested
 * values without recursion.
 */
export function checkArguments(args: unknown): string | undefined {
  if (!isContainer(args)) return problemOfValue(args);
  let level = [args];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_DEPTH) return TOO_DEEP;
    const below: typeof level = [];
    for (const value of level) {
      const problem = problemIn(value, below);
      if (problem !== undefined) return problem;
    }
    level = below;
  }
  return undefined;
}

/** Parses the JSON text of a call's arguments. Empty text means no arguments. See loop: §3.8 step 2. */
export function parseArguments(text: string): ParsedArguments {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
    // Some servers encode the arguments twice, as a JSON string that contains JSON.
    if (typeof value === "string" && value.trimStart().startsWith("{")) value = JSON.parse(value);
  } catch (error) {
    return { kind: "refused", problem: `they are not valid JSON: ${messageOf(error)}` };
  }
  if (!isPlainObject(value)) return { kind: "refused", problem: "they must be a JSON object" };
  const problem = isPlain(text) ? undefined : checkArguments(value);
  return problem === undefined ? { kind: "parsed", args: value } : { kind: "refused", problem };
}
