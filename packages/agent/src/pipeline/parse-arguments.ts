import type { ToolArguments } from "@switchyard/contracts";
import { messageOf } from "@switchyard/contracts";

/** Deeper arguments are refused: no tool needs them, and recursive code behind would overflow. */
const MAX_DEPTH = 64;

/** What is wrong with them. */
export const TOO_DEEP: string = `they are nested deeper than ${MAX_DEPTH} levels`;

/** Arguments, or why they are none. */
export type ParsedArguments = { kind: "parsed"; args: ToolArguments } | { kind: "refused"; problem: string };

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

const NO_UNICODE = "a text in them is not valid Unicode";

/** What is wrong with a value that has nothing in it. */
function problemOfValue(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : NO_UNICODE;
  return typeof value === "number" && !Number.isFinite(value) ? "a number in them is too large" : undefined;
}

/** What is wrong with a value and those directly in it; those that have something in them themselves are put aside. */
function problemIn(
  value: Readonly<Record<string, unknown>>,
  below: Readonly<Record<string, unknown>>[],
): string | undefined {
  const hasNames = !Array.isArray(value);
  // JSON makes it a property like any other; code that copies properties one by one would make it the prototype.
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

/** Most characters of a text in which no number can be too large without an exponent. */
const MAX_PLAIN_CHARS = 256;

/** A list or an object in the arguments, an escape, an exponent, or the name of the prototype: somewhere in the text. */
const NOT_PLAIN = /[[\\]|[\s\S]\{|\d[eE]|__proto__/;

/** Whether a text that is a JSON object can hold nothing that `checkArguments` would refuse; most arguments are such. */
function isPlain(text: string): boolean {
  return text.length <= MAX_PLAIN_CHARS && !NOT_PLAIN.test(text) && text.isWellFormed();
}

/**
 * Why arguments cannot be handed to a tool, whatever its schema says; nothing when they can. Looks at everything in
 * them, without recursion.
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

/** The arguments of a call from the JSON text the model wrote; no text at all means no arguments. loop: §3.8 step 2. */
export function parseArguments(text: string): ParsedArguments {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
    // Some servers write the arguments as a JSON text within a JSON text.
    if (typeof value === "string" && value.trimStart().startsWith("{")) value = JSON.parse(value);
  } catch (error) {
    return { kind: "refused", problem: `they are not valid JSON: ${messageOf(error)}` };
  }
  if (!isPlainObject(value)) return { kind: "refused", problem: "they must be a JSON object" };
  const problem = isPlain(text) ? undefined : checkArguments(value);
  return problem === undefined ? { kind: "parsed", args: value } : { kind: "refused", problem };
}
