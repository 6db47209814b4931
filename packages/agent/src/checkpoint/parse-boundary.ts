import { EngineError } from "@switchyard/contracts";
import { openCallsOf } from "../conversation/open-calls.ts";
import { pairResults } from "../conversation/repair-history.ts";
import type { Turn } from "../conversation/turn.ts";
import { isRecord } from "./is-part.ts";
import { isTurn, isUsage } from "./is-turn.ts";
import { parseChildren } from "./parse-children.ts";
import { BOUNDARY_VERSION, type BoundaryKind, type SessionBoundary, type SessionProgress } from "./session-boundary.ts";

const KINDS: readonly unknown[] = ["intents", "outcomes", "suggested", "stopped", "settled"] satisfies BoundaryKind[];

function isKind(value: unknown): value is BoundaryKind {
  return KINDS.includes(value);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isDuration(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && value >= 0);
}

function isProgress(value: Readonly<Record<string, unknown>>): boolean {
  const { warnedPattern } = value;
  return (
    typeof value["sessionId"] === "string" &&
    isCount(value["firstTurn"]) &&
    isCount(value["rounds"]) &&
    typeof value["isContextHigh"] === "boolean" &&
    (warnedPattern === undefined || typeof warnedPattern === "string") &&
    isTextList(value["steering"]) &&
    isTextList(value["followUps"]) &&
    isDuration(value["activeMs"]) &&
    (value["unrecordedUsage"] === undefined || isUsage(value["unrecordedUsage"])) &&
    (value["isCostUnknown"] === undefined || typeof value["isCostUnknown"] === "boolean")
  );
}

function isSessionProgress(value: unknown): value is SessionProgress {
  return isRecord(value) && value["version"] === BOUNDARY_VERSION && isProgress(value);
}

/** Returns true if each tool call is followed by its result. Calls of the last response may still lack results. */
function isConversation(turns: readonly Turn[]): boolean {
  const closed = openCallsOf(turns).length > 0 ? turns.slice(0, -1) : turns;
  const paired = pairResults(closed);
  return paired.length === closed.length && paired.every((turn, index) => turn === closed[index]);
}

function refusal(problem: string): EngineError {
  return new EngineError("checkpoint.invalid", { problem });
}

function parseTurns(value: unknown): readonly Turn[] {
  if (!Array.isArray(value)) throw refusal("it has no list of turns");
  const turns: Turn[] = [];
  for (const turn of value) {
    if (!isTurn(turn)) throw refusal(`turn ${turns.length + 1} of the conversation is not one`);
    turns.push(turn);
  }
  if (!isConversation(turns)) throw refusal("the calls and the results of the conversation do not match");
  return turns;
}

function parseProgress(value: unknown): SessionProgress {
  const version = isRecord(value) ? value["version"] : undefined;
  if (isCount(version) && version > BOUNDARY_VERSION) {
    throw new EngineError("checkpoint.newer_format", { path: "of the session", format: version });
  }
  if (!isSessionProgress(value)) throw refusal("its data about the progress of the session is invalid");
  return value;
}

/**
 * Parses session state that was stored at a checkpoint boundary of the agent loop. Throws `checkpoint.invalid` if it is
 * malformed, and `checkpoint.newer_format` if a newer release wrote it.
 */
export function parseBoundary(value: unknown): SessionBoundary {
  return parseMember(value, 0);
}

/** Parses the stored state of a session and its subagents. */
function parseMember(value: unknown, depth: number): SessionBoundary {
  if (!isRecord(value)) throw refusal("it is not an object");
  const { kind, systemPrompt } = value;
  const progress = parseProgress(value["progress"]);
  const turns = parseTurns(value["turns"]);
  if (!isKind(kind)) throw refusal("it does not say where in the loop it is");
  if (systemPrompt !== undefined && typeof systemPrompt !== "string")
    throw refusal("its system prompt is not a string");
  if (progress.firstTurn > turns.length) throw refusal("the session begins after its last turn");
  const boundary = { kind, turns, ...(systemPrompt === undefined ? {} : { systemPrompt }), progress };
  if (value["children"] === undefined) return boundary;
  return { ...boundary, children: parseChildren(value["children"], { depth, parse: parseMember, refusal }) };
}
