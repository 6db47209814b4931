import type { ToolArguments } from "@switchyard/contracts";
import { messageOf } from "@switchyard/contracts";

/** Deeper arguments are refused: no tool needs them, and recursive code behind would overflow. */
const MAX_DEPTH = 64;

/** Arguments, or why they are none. */
export type ParsedArguments = { kind: "parsed"; args: ToolArguments } | { kind: "refused"; problem: string };

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is nested deeper than the limit; walks without recursion. */
function isTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const entry of Object.values(value)) if (typeof entry === "object" && entry !== null) below.push(entry);
    }
    level = below;
  }
  return false;
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
  if (isTooDeep(value)) return { kind: "refused", problem: `they are nested deeper than ${MAX_DEPTH} levels` };
  return { kind: "parsed", args: value };
}
