import type { TranscriptMessage } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type { ToolRule } from "./rule.ts";

/** Returns whether a transcript contains a call of the rule's tool with the rule's arguments. */
export function isToolCalled({ tool, args }: ToolRule, transcript: readonly TranscriptMessage[]): boolean {
  const names = namesOf(tool);
  return transcript.some(({ tool_calls = [] }) =>
    tool_calls.some((call) => names.includes(call.name) && hasArguments(call.arguments, args)),
  );
}

/** Returns all names that agents use for a tool. For a tool of an MCP server, the format differs between agents. */
function namesOf(tool: string): string[] {
  const split = tool.indexOf("::");
  if (split < 0) return [tool];
  const [server, name] = [tool.slice(0, split), tool.slice(split + 2)];
  return [tool, `${server}__${name}`, `mcp__${server}__${name}`, `${server}_${name}`];
}

/** Arguments that the rule does not name are ignored. Scalars are compared as text: YAML and JSON may type them differently. */
function hasArguments(json: string, expected: Readonly<Record<string, unknown>>): boolean {
  const wanted = Object.entries(expected);
  if (wanted.length === 0) return true;
  const actual = parse(json);
  return (
    isRecord(actual) && wanted.every(([name, value]) => Object.hasOwn(actual, name) && isSame(value, actual[name]))
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    const items: unknown[] = Array.isArray(actual) ? actual : [];
    return (
      Array.isArray(actual) && items.length === expected.length && expected.every((item, i) => isSame(item, items[i]))
    );
  }
  if (isRecord(expected)) {
    if (!isRecord(actual) || Object.keys(actual).length !== Object.keys(expected).length) return false;
    return Object.entries(expected).every(([name, value]) => isSame(value, actual[name]));
  }
  return typeof actual !== "object" && String(expected) === String(actual);
}
