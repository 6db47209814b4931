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

/** What an attempt failed with whose answer does not fit its schema. */
const INVALID_OUTPUT = "output.invalid";

/** Variables of the runner's own, which belong to the whole run. */
const OWN = /^__run_/;
/** Where the last answer is that did not fit. */
const EARLIER = boardKey<SessionResult>("__run_answer");

/** Whether an attempt failed by its answer alone. */
export function isInvalidOutput({ error }: Pick<FailedAttempt, "error">): boolean {
  return error.code === INVALID_OUTPUT;
}

/**
 * Looks at the answer of an engine that came to its end: one that fits becomes the document alone; of one that does not,
 * the ending is that failure. Without a schema, and where the engine failed by itself, nothing is looked at.
 */
export async function checkOutput({ plan }: RunningSession, ending: Ending): Promise<Ending> {
  const { board, options } = plan;
  if (options.output === undefined || ending.kind !== "returned") return ending;
  // Whatever is wrong with the result itself is found, and told, where it is taken.
  const said = await sessionResultFrom(board).catch(() => undefined);
  if (said === undefined || said.exit_code !== 0) return ending;
  const result = withEarlierResult(said, board.get(EARLIER));
  const read = await readOutput(result.final_message, options.output);
  board.set(SESSION_RESULT, read.kind === "fits" ? { ...result, final_message: read.text } : result);
  return read.kind === "fits"
    ? ending
    : { kind: "threw", error: new EngineError(INVALID_OUTPUT, { problem: read.problem }) };
}

/** What an engine that was asked again says, with what it had done before. */
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

/** Turns that are left to an engine behind its last answer; nothing where they are not limited. */
function turnsLeft(board: Board): number | undefined {
  const limit = board.get(SESSION_INPUT)?.max_turns ?? 0;
  // What came before the last try is taken off the limit already.
  const taken = (board.get(SESSION_RESULT)?.turns ?? 0) - (board.get(EARLIER)?.turns ?? 0);
  return limit > 0 ? limit - taken : undefined;
}

/** What an attempt failed with whose engine is to be asked again; nothing where it was asked often enough. */
export function planRepair({ plan, attempts }: RunningSession, ending: Ending): FailedAttempt | undefined {
  const { repairs = DEFAULT_REPAIRS } = plan.options.output ?? {};
  if (ending.kind !== "threw" || !EngineError.is(ending.error, INVALID_OUTPUT)) return undefined;
  if (attempts.failed.filter(isInvalidOutput).length >= repairs || (turnsLeft(plan.board) ?? 1) < 1) return undefined;
  return { attempt: attempts.current, error: ending.error.toWire(), delayMs: 0 };
}

/** Makes the board that of a run's beginning, with the conversation so far and what is wrong with its end as its input. */
export async function prepareRepair(board: Board, opening: BoardSnapshot, { error }: FailedAttempt): Promise<void> {
  const input = board.get(SESSION_INPUT);
  const left = turnsLeft(board);
  const result = await sessionResultFrom(board);
  const own = Object.entries(board.snapshot().vars).filter(([name]) => OWN.test(name));
  board.restoreFrom(opening);
  for (const [name, value] of own) board.setVar(name, value);
  board.set(EARLIER, result);
  if (input === undefined) return;
  const limited = left === undefined ? input : { ...input, max_turns: left };
  board.set(SESSION_INPUT, repairInput(limited, result, error.message));
}
