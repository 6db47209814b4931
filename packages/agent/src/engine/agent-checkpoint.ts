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

/** The turns of the session on the board: a list that is only appended to, so that a checkpoint costs what is new. */
export const AGENT_TURNS: BoardKey<readonly Turn[]> = boardKey("__agent_turns");

/** The system prompt of the session on the board. */
export const AGENT_PROMPT: BoardKey<string> = boardKey("__agent_prompt");

/** Where a run goes on. */
export interface AgentCheckpoint {
  /** The state of its session. */
  readonly boundary: SessionBoundary;
  /** Time that was worked on it before, in milliseconds. */
  readonly activeMs: number;
}

/** The payload of a checkpoint: what is not on its board. */
export function payloadOf({ kind, progress }: SessionBoundary, activeMs: number): Readonly<Record<string, unknown>> {
  return { boundary: kind, progress, activeMs };
}

/** Puts the system prompt on the board, once there is one. */
export function keepPrompt(board: Board, systemPrompt: string | undefined): void {
  if (systemPrompt !== undefined && !board.hasVar(AGENT_PROMPT.name)) board.set(AGENT_PROMPT, systemPrompt);
}

/**
 * The version that checkpoints carry, and that a checkpoint must carry to be gone on from: the format of the state, the
 * model family whose tools the conversation uses, and the host's own version of its definition where it gives one.
 * Nothing else: the state is a conversation, which later prompts, tools and models can go on with; the system prompt
 * is kept with it, and a call of a tool that is gone is one of unknown outcome. So no release strands a run that it
 * could finish. promise D11.
 */
export function specVersionOf({ profile, version }: Pick<AgentEngineOptions, "profile" | "version">): string {
  return [`agent-${BOUNDARY_VERSION}`, profile.id, ...(version === undefined ? [] : [version])].join("/");
}

/** Reads a checkpoint. Throws `checkpoint.invalid`, or `checkpoint.newer_format` when a newer release made it. */
export function parseAgentCheckpoint({ board, payload }: Pick<Checkpoint, "board" | "payload">): AgentCheckpoint {
  if (!isRecord(payload)) throw new EngineError("checkpoint.invalid", { problem: "it has no state of the agent" });
  const { boundary: kind, progress, activeMs } = payload;
  const { vars } = board;
  if (!isRecord(vars[SESSION_INPUT.name])) {
    throw new EngineError("checkpoint.invalid", { problem: "its board has no input of a session" });
  }
  if (typeof activeMs !== "number" || !(activeMs >= 0)) {
    throw new EngineError("checkpoint.invalid", { problem: "it does not say how long the run took" });
  }
  const [turns, systemPrompt] = [vars[AGENT_TURNS.name], vars[AGENT_PROMPT.name]];
  const children = childrenOn(board);
  return { boundary: parseBoundary({ kind, turns, systemPrompt, progress, children }), activeMs };
}

/**
 * Refuses a checkpoint that the engine cannot go on from: `checkpoint.drifted`, then whatever `parseAgentCheckpoint`
 * throws. A checkpoint without a version is not checked for drift. engine: Resumer; promise D11.
 */
export function assertAgentCheckpoint(checkpoint: Checkpoint, expected: string): void {
  const { specVersion = "" } = checkpoint;
  if (specVersion !== "" && specVersion !== expected) {
    throw new EngineError("checkpoint.drifted", { found: specVersion, expected });
  }
  parseAgentCheckpoint(checkpoint);
}
