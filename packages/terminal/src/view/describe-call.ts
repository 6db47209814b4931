import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Names of arguments that are sufficient to describe a tool call, the most informative first. */
const DESCRIPTIVE_KEYS = [
  "command",
  "cmd",
  "pattern",
  "file_path",
  "path",
  "dir_path",
  "url",
  "query",
  "task",
  "prompt",
  "agent_id",
  "question",
];

/** Describes a tool call on one line: its name and its most informative arguments. */
export function describeCall(name: string, callArguments: unknown): string {
  const about = describeArguments(typeof callArguments === "string" ? parseJson(callArguments) : callArguments);
  return neutraliseControls(`${name} ${about}`).replace(/\s+/g, " ").trim();
}

function describeArguments(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  const entries = new Map<string, unknown>(Object.entries(value));
  const texts = DESCRIPTIVE_KEYS.map((key) => entries.get(key)).filter((found) => typeof found === "string");
  return texts.length > 0 ? texts.slice(0, 2).join(" in ") : toJson(value);
}

function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "…"; // Nested too deeply. The loop reports the problem to the model.
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Not JSON. The loop reports the problem to the model.
  }
}
