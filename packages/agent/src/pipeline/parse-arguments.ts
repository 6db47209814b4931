import type { ToolArguments } from "@switchyard/contracts";
import { messageOf } from "@switchyard/contracts";

/** Deeper arguments are refused: no tool needs them, and recursive code behind would overflow. */
const MAX_DEPTH = 64;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Arguments, or why they are none. */
export type ParsedArguments = { kind: "parsed"; args: ToolArguments } | { kind: "refused"; problem: string };

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NO_UNICODE = "a text in them is not valid Unicode";

/** What is wrong with a value by itself; what is in it comes later. */
function problemOfValue(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return LONE_SURROGATE.test(value) ? NO_UNICODE : undefined;
    case "number":
      return Number.isFinite(value) ? undefined : "a number in them is too large";
    case "object":
      return value === null || Array.isArray(value) ? undefined : problemOfKeys(value);
    default:
      return undefined;
  }
}

function problemOfKeys(value: object): string | undefined {
  // JSON makes it a property like any other; code that copies properties one by one would make it the prototype.
  if (Object.hasOwn(value, "__proto__")) return "they have a property __proto__";
  return Object.keys(value).some((key) => LONE_SURROGATE.test(key)) ? NO_UNICODE : undefined;
}

/**
 * Why arguments cannot be handed to a tool, whatever its schema says; nothing when they can. Looks at everything in
 * them, without recursion.
 */
export function checkArguments(args: unknown): string | undefined {
  let level: unknown[] = [args];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `they are nested deeper than ${MAX_DEPTH} levels`;
    const below: unknown[] = [];
    for (const value of level) {
      const problem = problemOfValue(value);
      if (problem !== undefined) return problem;
      if (typeof value === "object" && value !== null) for (const entry of Object.values(value)) below.push(entry);
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
  } catch (error) {
    return { kind: "refused", problem: `they are not valid JSON: ${messageOf(error)}` };
  }
  if (!isPlainObject(value)) return { kind: "refused", problem: "they must be a JSON object" };
  const problem = checkArguments(value);
  return problem === undefined ? { kind: "parsed", args: value } : { kind: "refused", problem };
}
