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

/** How the engine ended. */
export type Ending =
  | { readonly kind: "returned" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "given_up" };

/** Outcome of a run. */
export interface Outcome {
  /** Final status. */
  readonly status: RunStatus;
  /** The engine's result, if it is valid. */
  readonly result?: SessionResult | undefined;
  /** Error that explains why there is no valid result, or why the run was stopped. */
  readonly error?: EngineError | undefined;
}

/** Input for `outcomeOf`. */
export interface Evidence {
  /** How the engine ended. */
  ending: Ending;
  /** Request to stop the run. `undefined` if there was none. */
  request: StopRequest | undefined;
  /** Board (key-value state) on which the engine stored its state and result. */
  board: Board;
  /** Name of the engine. */
  engine: string;
  /** Whether the input sets a time limit. */
  hasTimeLimit: boolean;
  /** Defaults for missing fields of results. */
  defaults: ResultDefaults;
}

/**
 * Determines the outcome of a run. If a stop was requested, the request determines the status, but the outcome still
 * contains the engine's result, if any. See architecture: RunStatus.
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

/**
 * Returns the partial result that the engine stored before the run was stopped or failed. The returned result never
 * reports success.
 */
async function resultOfStoppedRun(board: Board, defaults: ResultDefaults): Promise<SessionResult | undefined> {
  const result = await givenResultFrom(board, defaults);
  return result?.exit_code === 0 ? { ...result, exit_code: 1 } : result;
}

/** An engine with its own timer may notice the time limit before the runner does. */
function statusOf(error: EngineError, { hasTimeLimit }: Evidence): RunStatus {
  if (error.class === "interrupted") return "interrupted";
  return hasTimeLimit && error.code === "run.timed_out" ? "timed_out" : "error";
}

/** Returns the payload of the event `run_end` for an outcome. */
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
