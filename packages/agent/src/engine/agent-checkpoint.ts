import {
  type Board,
  type BoardKey,
  boardKey,
  type Checkpoint,
  EngineError,
  SESSION_INPUT,
} from "@switchyard/contracts";
import { isRecord } from "../checkpoint/is-part.ts";
import { parseBoundary } from "../checkpoint/parse-boundary.ts";
import { BOUNDARY_VERSION, type SessionBoundary } from "../checkpoint/session-boundary.ts";
import type { Turn } from "../conversation/turn.ts";
import type { AgentEngineOptions } from "./agent-engine-options.ts";
import { childrenOn } from "./board-subagents.ts";

/**
 * Key of the session's turns on the run's board (shared run state). The value is an append-only list, so that a
 * checkpoint stores only new turns.
 */
export const AGENT_TURNS: BoardKey<readonly Turn[]> = boardKey("__agent_turns");

/** Key of the session's system prompt on the run's board (shared run state). */
export const AGENT_PROMPT: BoardKey<string> = boardKey("__agent_prompt");

/** Checkpoint from which a run resumes. */
export interface AgentCheckpoint {
  /** State of the run's session. */
  readonly boundary: SessionBoundary;
  /** Active time of earlier attempts to execute the run, in milliseconds. */
  readonly activeMs: number;
}

/**
 * Returns the payload of a checkpoint: the part of the session state that is not stored on the run's board (shared run
 * state).
 */
export function payloadOf({ kind, progress }: SessionBoundary, activeMs: number): Readonly<Record<string, unknown>> {
  return { boundary: kind, progress, activeMs };
}

/** Stores the system prompt on the run's board (shared run state) once the prompt has been built. */
export function storePrompt(board: Board, systemPrompt: string | undefined): void {
  if (systemPrompt !== undefined && !board.hasVar(AGENT_PROMPT.name)) board.set(AGENT_PROMPT, systemPrompt);
}

/**
 * Returns the version that checkpoints contain. A run can resume only if the version is unchanged. The version consists
 * of the state format, the model family whose tools the conversation uses, and the version that the host assigned to
 * the engine's definition, if any. Other changes do not prevent resuming, because a conversation can continue with
 * changed prompts, tools and models. If a tool was removed, the outcome of its unfinished calls is unknown. See
 * durability promise D11.
 */
export function specVersionOf({ profile, version }: Pick<AgentEngineOptions, "profile" | "version">): string {
  return [`agent-${BOUNDARY_VERSION}`, profile.id, ...(version === undefined ? [] : [version])].join("/");
}

/** Parses a checkpoint. Throws `checkpoint.invalid`, or `checkpoint.newer_format` if a newer release wrote it. */
export function parseAgentCheckpoint({ board, payload }: Pick<Checkpoint, "board" | "payload">): AgentCheckpoint {
  if (!isRecord(payload))
    throw new EngineError("checkpoint.invalid", { problem: "it does not contain the agent's state" });
  const { boundary: kind, progress, activeMs } = payload;
  const { vars } = board;
  if (!isRecord(vars[SESSION_INPUT.name])) {
    throw new EngineError("checkpoint.invalid", { problem: "its board does not contain a session input" });
  }
  if (typeof activeMs !== "number" || !(activeMs >= 0)) {
    throw new EngineError("checkpoint.invalid", { problem: "it does not contain the duration of the run" });
  }
  const [turns, systemPrompt] = [vars[AGENT_TURNS.name], vars[AGENT_PROMPT.name]];
  const children = childrenOn(board);
  return { boundary: parseBoundary({ kind, turns, systemPrompt, progress, children }), activeMs };
}

/**
 * Throws if the engine cannot resume from a checkpoint: `checkpoint.drifted`, or the errors of `parseAgentCheckpoint`.
 * A checkpoint without a version is not checked for drift. See engine: Resumer; durability promise D11.
 */
export function assertAgentCheckpoint(checkpoint: Checkpoint, expected: string): void {
  const { specVersion = "" } = checkpoint;
  if (specVersion !== "" && specVersion !== expected) {
    throw new EngineError("checkpoint.drifted", { found: specVersion, expected });
  }
  parseAgentCheckpoint(checkpoint);
}
