import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { fromJson, isRecord } from "./plain-json.ts";
import { STEP_STATE_FORMAT, type StepState } from "./step-state.ts";

function isCheckpoint(value: unknown): value is Checkpoint {
  if (!isRecord(value) || typeof value["execId"] !== "string" || typeof value["timestamp"] !== "string") return false;
  const { board } = value;
  return isRecord(board) && isRecord(board["vars"]);
}

function isStepState(value: unknown): value is StepState {
  if (!isRecord(value)) return false;
  const { run_id: runId, effects, open_calls: calls, questions, messages, answers, session } = value;
  return (
    typeof runId === "string" &&
    [effects, calls, questions, messages].every(Array.isArray) &&
    isRecord(answers) &&
    isRecord(session) &&
    Array.isArray(session["messages"])
  );
}

/**
 * Returns a validated copy of a state that the caller has stored. Throws `checkpoint.invalid`, or
 * `checkpoint.newer_format` if a newer release wrote the state.
 */
export function parseStepState(given: unknown): StepState {
  const value: unknown = structuredClone(given);
  const format = isRecord(value) ? value["format"] : undefined;
  if (typeof format === "number" && format > STEP_STATE_FORMAT) {
    throw new EngineError("checkpoint.newer_format", { path: "in the state of the step", format });
  }
  if (format !== STEP_STATE_FORMAT || !isStepState(value)) {
    throw new EngineError("checkpoint.invalid", { problem: "the state was not returned by `advance`" });
  }
  return value;
}

/** Decodes the checkpoint in a state; `undefined` if there is none. Throws `checkpoint.invalid`. */
export function checkpointIn({ checkpoint, run_id: runId }: StepState): Checkpoint | undefined {
  if (checkpoint === undefined) return undefined;
  const decoded = fromJson(checkpoint);
  if (!isCheckpoint(decoded)) {
    throw new EngineError("checkpoint.invalid", { problem: "the state of the step has an incomplete checkpoint" });
  }
  if (decoded.execId !== runId) {
    throw new EngineError("checkpoint.foreign", { execId: decoded.execId, runId, path: "in the state of the step" });
  }
  return decoded;
}
