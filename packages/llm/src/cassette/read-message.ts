import type { Message, MessageRole, Part } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"]);

/** For each kind of message part, the names of the required text fields. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["mediaType"],
  audio: ["mediaType"],
  document: ["mediaType"],
  data: [],
  tool_call: ["id", "name", "arguments"],
  tool_result: ["toolCallId", "name", "content"],
  thinking: ["text"],
  redacted_thinking: ["data"],
  unknown: ["kind"],
};

function isRole(value: unknown): value is MessageRole {
  return ROLES.has(value);
}

function partProblem(value: unknown): string | undefined {
  const type = isRecord(value) ? value["type"] : undefined;
  const required = typeof type === "string" && Object.hasOwn(REQUIRED, type) ? REQUIRED[type] : undefined;
  if (!isRecord(value) || required === undefined) return "is not a part of a message";
  const missing = required.find((name) => typeof value[name] !== "string");
  if (missing !== undefined) return `needs a text \`${missing}\``;
  return type === "tool_result" && typeof value["isError"] !== "boolean" ? "needs `isError`" : undefined;
}

function isPart(value: unknown): value is Part {
  return partProblem(value) === undefined;
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && isRole(value["role"]) && Array.isArray(value["parts"]) && value["parts"].every(isPart);
}

/** Returns the problem of an invalid message. */
function messageProblem(value: unknown, path: string): string {
  if (!isRecord(value) || !isRole(value["role"])) return `${path} needs a role`;
  const parts = value["parts"];
  if (!Array.isArray(parts)) return `${path} needs a list of parts`;
  const index = parts.findIndex((part) => !isPart(part));
  return `${path}.parts[${index}] ${partProblem(parts[index]) ?? "is invalid"}`;
}

/** Parses a message of a recording. Throws through `fail`, which adds the location. */
export function readMessage(value: unknown, path: string, fail: (problem: string) => never): Message {
  if (!isMessage(value)) return fail(messageProblem(value, path));
  return value;
}
