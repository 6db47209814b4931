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

/** Key of the run's progress on the board (shared run state). */
const STATE = "custom_engine.state";

/** Progress of a run, as plain data. */
export interface ConversationState {
  /** Number of finished calls. */
  readonly calls: number;
  /** True if a call was started and its outcome is not stored yet. */
  readonly isCalling: boolean;
  /** Session id that the engine returned. */
  readonly sessionId?: string | undefined;
  /** Time used by earlier attempts and calls, in milliseconds. */
  readonly usedMs: number;
  /** Merged result of the finished calls. */
  readonly result?: SessionResult | undefined;
}

/** Initial progress of a run. */
const NOT_BEGUN: ConversationState = { calls: 0, isCalling: false, usedMs: 0 };

/**
 * Returns the messages of each call of the engine. In batch mode, one call has all messages. Otherwise each user
 * message is one call, with the system messages before it. Other messages are then omitted, because the engine stores
 * its own responses. Throws `input.invalid`.
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

/**
 * Returns the progress that is stored on the run's board (shared run state). Throws `checkpoint.corrupt` if the stored
 * progress is invalid.
 */
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
    throw new EngineError("checkpoint.invalid", {
      problem: "its board does not contain the progress of the custom engine",
    });
  }
  return {
    ...{ calls, isCalling, usedMs },
    ...(typeof sessionId === "string" ? { sessionId } : {}),
    ...(parsed === undefined ? {} : { result: parsed.data }),
  };
}

/** Stores the progress of a run on its board (shared run state). */
export function writeState(board: Board, state: ConversationState): void {
  board.setVar(STATE, Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)));
}

/** Merges the result of a call with the results of earlier calls. */
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
    ...sum("cost_usd", before, latest),
    transcript: [...(before.transcript ?? []), ...(transcript ?? [])],
    ...(Object.keys(artifacts).length === 0 ? {} : { artifacts }),
  };
}

function sum(
  field: "duration_ms" | "input_tokens" | "output_tokens" | "cost_usd",
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
