import {
  type Board,
  EngineError,
  MAIN_CHANNEL,
  type Message,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
  type TranscriptMessage,
  textOf,
  type Usage,
} from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";
import { describeIssues } from "../input/parse-session-input.ts";
import { isPlainResult } from "./is-plain-result.ts";
import { minimalTranscript, transcriptFromChannel, turnsOf } from "./transcript-from-channel.ts";

/** Values for result fields that the engine omitted. See custom-engine: result contract. */
export interface ResultDefaults {
  /** Name of the engine. */
  engine?: string | undefined;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Duration of the engine's work, in milliseconds. */
  durationMs?: number | undefined;
  /** Usage that the host (the program that runs the session) measured. */
  usage?: Usage | undefined;
}

/**
 * Returns the validated result of a session: the result on the board (the engine's state), or a result built from the
 * last assistant message of the main conversation. Fills in missing fields. Rejects with `result.invalid`, or with
 * `run.no_result` if there is neither a result nor a message.
 */
export async function sessionResultFrom(board: Board, defaults: ResultDefaults = {}): Promise<SessionResult> {
  const given: unknown = board.get(SESSION_RESULT);
  const channel = board.channel(MAIN_CHANNEL);
  const result = given === undefined ? resultFromChannel(channel) : await parseResult(given);
  if (result === undefined) throw new EngineError("run.no_result");
  return fillResult(result, { input: board.get(SESSION_INPUT), channel, defaults });
}

/**
 * Returns the result that the engine stored in the run's shared data (the board). `undefined` if there is no result or
 * the result is invalid.
 */
export async function givenResultFrom(board: Board, defaults: ResultDefaults = {}): Promise<SessionResult | undefined> {
  if (board.get(SESSION_RESULT) === undefined) return undefined;
  return sessionResultFrom(board, defaults).catch(() => undefined);
}

async function parseResult(given: unknown): Promise<SessionResult> {
  if (isPlainResult(given)) return given;
  const { sessionResultSchema } = await import("@switchyard/contracts/schemas");
  const parsed = sessionResultSchema.safeParse(withFinalMessage(given));
  if (!parsed.success) throw new EngineError("result.invalid", { problem: describeIssues(parsed.error.issues) });
  return parsed.data;
}

/**
 * Fills a missing final message from the last assistant message of the transcript. See custom-engine: result contract.
 */
function withFinalMessage(given: unknown): unknown {
  if (!isRecord(given) || given["final_message"] !== undefined || !Array.isArray(given["transcript"])) return given;
  const transcript: readonly unknown[] = given["transcript"];
  const last = transcript.findLast((message) => isRecord(message) && message["role"] === "assistant");
  return isRecord(last) ? { ...given, final_message: last["content"] } : given;
}

function resultFromChannel(channel: readonly Message[]): SessionResult | undefined {
  const answers = channel.filter((message) => message.role === "assistant");
  const last = answers.findLast((message) => textOf(message) !== "") ?? answers.at(-1);
  return last === undefined ? undefined : { exit_code: 0, final_message: textOf(last) };
}

function fillResult(
  result: SessionResult,
  context: { input: SessionInput | undefined; channel: readonly Message[]; defaults: ResultDefaults },
): SessionResult {
  const { defaults } = context;
  const transcript = result.transcript ?? transcriptOf(result, context);
  return {
    ...result,
    engine: result.engine ?? defaults.engine,
    model: result.model ?? defaults.model,
    duration_ms: result.duration_ms ?? defaults.durationMs,
    turns: result.turns ?? turnsOf(transcript),
    input_tokens: result.input_tokens ?? counted(defaults.usage?.inputTokens),
    output_tokens: result.output_tokens ?? counted(defaults.usage?.outputTokens),
    transcript,
  };
}

function transcriptOf(
  result: SessionResult,
  context: { input: SessionInput | undefined; channel: readonly Message[] },
): TranscriptMessage[] {
  const hasAnswer = context.channel.some((message) => message.role === "assistant");
  return hasAnswer
    ? transcriptFromChannel(context.input, context.channel)
    : minimalTranscript(context.input, result.final_message);
}

/** Zero tokens mean that no usage was reported. */
function counted(tokens: number | undefined): number | undefined {
  return tokens === 0 ? undefined : tokens;
}
