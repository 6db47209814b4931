import {
  type Board,
  EngineError,
  type EventPayloads,
  findEngineError,
  messageOf,
  type RunStatus,
  type SessionResult,
} from "@switchyard/contracts";
import type { StopRequest } from "../control/stop-control.ts";
import { givenResultFrom, type ResultDefaults, sessionResultFrom } from "./session-result-from.ts";

/** How the engine's part of a run ended. */
export type Ending =
  | { readonly kind: "returned" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "given_up" };

/** How a run ended. */
export interface Outcome {
  /** Its state for good. */
  readonly status: RunStatus;
  /** The engine's result, where it gave a valid one. */
  readonly result?: SessionResult | undefined;
  /** Why there is no valid result, or why it was stopped. */
  readonly error?: EngineError | undefined;
}

/** What an outcome is judged from. */
export interface Evidence {
  /** How the engine's part ended. */
  ending: Ending;
  /** Why it was asked to stop before that, if it was. */
  request: StopRequest | undefined;
  /** The board the engine worked on. */
  board: Board;
  /** Name of the engine. */
  engine: string;
  /** Whether the input limits the time. */
  hasTimeLimit: boolean;
  /** What results are filled up with. */
  defaults: ResultDefaults;
}

/**
 * How a run ended. A request to stop decides; a result that is there is kept all the same. architecture: RunStatus.
 */
export async function outcomeOf(evidence: Evidence): Promise<Outcome> {
  const { ending, request, board, defaults } = evidence;
  if (request !== undefined) {
    const status = request.kind === "store_failed" ? "error" : request.kind;
    return { status, error: request.error, result: await resultOfStoppedRun(board, defaults) };
  }
  if (ending.kind === "returned") return outcomeOfResult(board, defaults);
  const error = errorOf(ending, evidence.engine);
  return { status: statusOf(error, evidence), error, result: await resultOfStoppedRun(board, defaults) };
}

/** What the engine had put down before the run was stopped or failed: kept, but it claims no success. */
async function resultOfStoppedRun(board: Board, defaults: ResultDefaults): Promise<SessionResult | undefined> {
  const result = await givenResultFrom(board, defaults);
  return result?.exit_code === 0 ? { ...result, exit_code: 1 } : result;
}

/** An engine that watches the clock itself may notice the end of its time first. */
function statusOf(error: EngineError, { hasTimeLimit }: Evidence): RunStatus {
  if (error.class === "interrupted") return "interrupted";
  return hasTimeLimit && error.code === "run.timed_out" ? "timed_out" : "error";
}

/** What the event `run_end` says about an outcome. */
export function runEndOf({ status, error }: Outcome): EventPayloads["run_end"] {
  const wire = error === undefined ? {} : { error: error.toWire() };
  switch (status) {
    case "completed":
    case "failed":
      return { outcome: "completed" };
    case "interrupted":
    case "cancelled":
      return { outcome: status, ...wire };
    default:
      return { outcome: "failed", ...wire };
  }
}

async function outcomeOfResult(board: Board, defaults: ResultDefaults): Promise<Outcome> {
  try {
    const result = await sessionResultFrom(board, defaults);
    return { status: result.exit_code === 0 ? "completed" : "failed", result };
  } catch (error) {
    return { status: "error", error: toOutcomeError(error, defaults.engine ?? "engine") };
  }
}

function errorOf(ending: Exclude<Ending, { kind: "returned" }>, engine: string): EngineError {
  if (ending.kind === "threw") return toOutcomeError(ending.error, engine);
  return new EngineError("engine.failed", { engine, problem: "it did not stop" });
}

function toOutcomeError(error: unknown, engine: string): EngineError {
  const found = findEngineError(error);
  if (found !== undefined) return found;
  return new EngineError("engine.failed", { engine, problem: messageOf(error) }, { cause: error });
}
