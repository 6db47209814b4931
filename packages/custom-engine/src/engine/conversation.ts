import {
  type Board,
  EngineError,
  type SessionInput,
  type SessionMessage,
  type SessionResult,
} from "@switchyard/contracts";
import { sessionResultSchema } from "@switchyard/contracts/schemas";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { isRecord } from "../json/is-record.ts";

/** Variable of the board that tells how far a run is. */
const STATE = "custom_engine.state";

/** How far a run is; plain data. */
export interface ConversationState {
  /** Calls that are over. */
  readonly calls: number;
  /** Whether one was begun whose end is not known. */
  readonly isCalling: boolean;
  /** Id by which the engine goes on. */
  readonly sessionId?: string | undefined;
  /** Time that earlier attempts and calls took, in milliseconds. */
  readonly usedMs: number;
  /** What the calls so far came to. */
  readonly result?: SessionResult | undefined;
}

/** A run that has not begun. */
const NOT_BEGUN: ConversationState = { calls: 0, isCalling: false, usedMs: 0 };

/**
 * The messages of each call: all of them at once, or those up to each user message. What others said in the place of a
 * stateful engine is not part of its conversation. Throws `input.invalid`.
 */
export function callsOf(
  { messages }: SessionInput,
  mode: CustomEngineConfig["conversationMode"],
): readonly (readonly SessionMessage[])[] {
  if (!messages.some(({ role }) => role === "user")) {
    throw new EngineError("input.invalid", {
      path: "of the session",
      expected: "SessionInput",
      problem: "messages: at least one message with the role user is needed",
    });
  }
  if (mode === "batch") return [messages];
  const calls: SessionMessage[][] = [];
  const next: SessionMessage[] = [];
  for (const message of messages) {
    if (message.role !== "user" && message.role !== "system") continue;
    next.push(message);
    if (message.role === "user") calls.push(next.splice(0));
  }
  return calls;
}

/** How far a run is by its board. Throws `checkpoint.corrupt` where the board says nothing sensible. */
export function readState(board: Pick<Board, "getVar">): ConversationState {
  const value = board.getVar(STATE);
  if (value === undefined) return NOT_BEGUN;
  const { calls, isCalling, usedMs, sessionId, result } = isRecord(value) ? value : {};
  const parsed = result === undefined ? undefined : sessionResultSchema.safeParse(result);
  if (
    typeof calls !== "number" ||
    typeof isCalling !== "boolean" ||
    typeof usedMs !== "number" ||
    parsed?.success === false
  ) {
    throw new EngineError("checkpoint.invalid", { problem: "its board does not tell how far the custom engine was" });
  }
  return {
    ...{ calls, isCalling, usedMs },
    ...(typeof sessionId === "string" ? { sessionId } : {}),
    ...(parsed === undefined ? {} : { result: parsed.data }),
  };
}

/** Keeps how far a run is. */
export function writeState(board: Board, state: ConversationState): void {
  board.setVar(STATE, Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)));
}

/** Adds what a call came to to what the calls before it came to. */
export function mergeResults(before: SessionResult | undefined, latest: SessionResult, turn: number): SessionResult {
  const transcript = latest.transcript?.map((message) => ({ ...message, turn }));
  const stamped = { ...latest, turns: turn, ...(transcript === undefined ? {} : { transcript }) };
  if (before === undefined) return stamped;
  const files = [...(before.artifacts?.files ?? []), ...(latest.artifacts?.files ?? [])];
  const generated = [
    ...new Set([...(before.artifacts?.generated_files ?? []), ...(latest.artifacts?.generated_files ?? [])]),
  ];
  const logs = joined(before.artifacts?.logs, latest.artifacts?.logs);
  const diff = joined(before.artifacts?.workspace_diff, latest.artifacts?.workspace_diff);
  const artifacts = {
    ...(files.length === 0 ? {} : { files }),
    ...(generated.length === 0 ? {} : { generated_files: generated }),
    ...(logs === undefined ? {} : { logs }),
    ...(diff === undefined ? {} : { workspace_diff: diff }),
  };
  return {
    ...stamped,
    ...sum("duration_ms", before, latest),
    ...sum("input_tokens", before, latest),
    ...sum("output_tokens", before, latest),
    transcript: [...(before.transcript ?? []), ...(transcript ?? [])],
    ...(Object.keys(artifacts).length === 0 ? {} : { artifacts }),
  };
}

function sum(
  field: "duration_ms" | "input_tokens" | "output_tokens",
  left: SessionResult,
  right: SessionResult,
): Partial<SessionResult> {
  if (left[field] === undefined && right[field] === undefined) return {};
  return { [field]: (left[field] ?? 0) + (right[field] ?? 0) };
}

function joined(left: string | undefined, right: string | undefined): string | undefined {
  const parts = [left, right].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join("\n");
}
