import {
  type Board,
  type BoardSnapshot,
  boardKey,
  EngineError,
  type FailedAttempt,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionResult,
} from "@switchyard/contracts";
import type { Ending } from "../result/outcome.ts";
import { sessionResultFrom } from "../result/session-result-from.ts";
import type { RunningSession } from "../session/running-session.ts";
import { DEFAULT_REPAIRS } from "./output-options.ts";
import { repairInput } from "./output-prompt.ts";
import { readOutput } from "./read-output.ts";

/** Error code of an attempt whose final message does not match the schema. */
const INVALID_OUTPUT = "output.invalid";

/**
 * Matches the names of variables that the runner itself stores on the board (the engine's state). A repair attempt does
 * not reset these variables, because they describe the whole run.
 */
const RUNNER_VARIABLE = /^__run_/;
/**
 * Name of the board variable (part of the engine's state) that contains the most recent result whose final message did
 * not match the schema.
 */
const EARLIER = boardKey<SessionResult>("__run_answer");

/** Whether an attempt failed only because its final message was invalid. */
export function isInvalidOutput({ error }: Pick<FailedAttempt, "error">): boolean {
  return error.code === INVALID_OUTPUT;
}

/**
 * Validates the final message of an engine that succeeded against the output schema. A valid message is reduced to its
 * JSON document; an invalid message makes the attempt fail. Without a schema, or if the engine failed, the outcome is
 * returned unchanged.
 */
export async function checkOutput({ plan }: RunningSession, ending: Ending): Promise<Ending> {
  const { board, options } = plan;
  if (options.output === undefined || ending.kind !== "returned") return ending;
  // An invalid engine result is ignored here, because it is reported when the session is finished.
  const parsed = await sessionResultFrom(board).catch(() => undefined);
  if (parsed === undefined || parsed.exit_code !== 0) return ending;
  const result = withEarlierResult(parsed, board.get(EARLIER));
  const read = await readOutput(result.final_message, options.output);
  board.set(SESSION_RESULT, read.kind === "fits" ? { ...result, final_message: read.text } : result);
  return read.kind === "fits"
    ? ending
    : { kind: "threw", error: new EngineError(INVALID_OUTPUT, { problem: read.problem }) };
}

/**
 * Adds the usage, turns and artifacts of the earlier, invalid result to the result of the attempt that repairs its
 * final message.
 */
function withEarlierResult(result: SessionResult, earlier: SessionResult | undefined): SessionResult {
  if (earlier === undefined) return result;
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0, artifacts, duration_ms = 0 } = earlier;
  const isCounted = result.turns !== undefined || earlier.turns !== undefined;
  return {
    ...result,
    ...(isCounted ? { turns: (result.turns ?? 0) + (earlier.turns ?? 0) } : {}),
    duration_ms: (result.duration_ms ?? 0) + duration_ms,
    input_tokens: (result.input_tokens ?? 0) + inputTokens,
    output_tokens: (result.output_tokens ?? 0) + outputTokens,
    ...(result.artifacts === undefined && artifacts !== undefined ? { artifacts } : {}),
  };
}

/** Returns the number of model turns that are left after the last result. `undefined` without a turn limit. */
function turnsLeft(board: Board): number | undefined {
  const limit = board.get(SESSION_INPUT)?.max_turns ?? 0;
  // The turn limit of the last attempt was already reduced by the turns of earlier attempts.
  const taken = (board.get(SESSION_RESULT)?.turns ?? 0) - (board.get(EARLIER)?.turns ?? 0);
  return limit > 0 ? limit - taken : undefined;
}

/**
 * Returns the failed attempt if the engine is to be asked again for a valid final message. `undefined` if no further
 * request is allowed.
 */
export function planRepair({ plan, attempts }: RunningSession, ending: Ending): FailedAttempt | undefined {
  const { repairs = DEFAULT_REPAIRS } = plan.options.output ?? {};
  if (ending.kind !== "threw" || !EngineError.is(ending.error, INVALID_OUTPUT)) return undefined;
  if (attempts.failed.filter(isInvalidOutput).length >= repairs || (turnsLeft(plan.board) ?? 1) < 1) return undefined;
  return { attempt: attempts.current, error: ending.error.toWire(), delayMs: 0 };
}

/**
 * Resets the board (the engine's state) to its initial content. The new input is the conversation so far and the
 * problem with the final message.
 */
export async function prepareRepair(board: Board, opening: BoardSnapshot, { error }: FailedAttempt): Promise<void> {
  const input = board.get(SESSION_INPUT);
  const remaining = turnsLeft(board);
  const result = await sessionResultFrom(board);
  const runnerVariables = Object.entries(board.snapshot().vars).filter(([name]) => RUNNER_VARIABLE.test(name));
  board.restoreFrom(opening);
  for (const [name, value] of runnerVariables) board.setVar(name, value);
  board.set(EARLIER, result);
  if (input === undefined) return;
  const limited = remaining === undefined ? input : { ...input, max_turns: remaining };
  board.set(SESSION_INPUT, repairInput(limited, result, error.message));
}
