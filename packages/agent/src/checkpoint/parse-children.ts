import { isRecord } from "./is-part.ts";
import type { SessionBoundary, SubagentBoundary } from "./session-boundary.ts";

/** Maximum nesting depth of subagents. */
const MAX_DEPTH = 64;

/** Nesting depth and callbacks for parsing the sessions of subagents. */
export interface ChildrenReader {
  readonly depth: number;
  /** Parses the stored state of a subagent at a nesting depth. Throws an error that describes the problem. */
  readonly parse: (value: unknown, depth: number) => SessionBoundary;
  /** Creates the error for invalid data outside a subagent's stored state, such as a malformed list of subagents. */
  readonly refusal: (problem: string) => Error;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

type Child = Omit<SubagentBoundary, "boundary">;

function isChild(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & Child {
  const { id, callId, workingDir, model, maxTurns, status, isClosed, problem, inputs } = value;
  return (
    [id, callId].every((text) => typeof text === "string" && text !== "") &&
    [workingDir, model, problem].every(isOptionalText) &&
    typeof maxTurns === "number" &&
    Number.isSafeInteger(maxTurns) &&
    maxTurns >= 0 &&
    ["running", "completed", "failed"].some((known) => known === status) &&
    typeof isClosed === "boolean" &&
    isTextList(inputs)
  );
}

function parseChild(value: unknown, { depth, parse, refusal }: ChildrenReader): SubagentBoundary {
  if (!isRecord(value) || !isChild(value)) throw refusal("its data about a subagent is invalid");
  const { id, callId, workingDir, model, maxTurns, status, isClosed, problem, inputs } = value;
  const boundary = parse(value["boundary"], depth + 1);
  if (status === "running" && boundary.kind === "settled") throw refusal(`the subagent ${id} works on nothing`);
  return { ...{ id, callId, workingDir, model, maxTurns, status, isClosed, problem, inputs }, boundary };
}

/** Parses the stored subagents of a session. */
export function parseChildren(value: unknown, reader: ChildrenReader): readonly SubagentBoundary[] {
  if (!Array.isArray(value)) throw reader.refusal("it has no list of subagents");
  if (reader.depth >= MAX_DEPTH) throw reader.refusal("its subagents are nested too deep");
  const children = value.map((child: unknown) => parseChild(child, reader));
  const ids = new Set(children.map(({ id }) => id));
  if (ids.size < children.length) throw reader.refusal("two of its subagents have one name");
  return children;
}
