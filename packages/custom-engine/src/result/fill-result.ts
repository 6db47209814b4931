import type { SessionInput, SessionResult, TranscriptMessage } from "@switchyard/contracts";

/** Values for result fields that an engine omitted. */
export interface ResultDefaults {
  /** Name of the engine. */
  readonly engine: string;
  /** Model reference; empty without a model. */
  readonly model: string;
  /** Duration of the call, in milliseconds. */
  readonly durationMs: number;
  /** Input that the engine received. */
  readonly input: SessionInput;
}

/**
 * Returns a result in which fields that the engine omitted are filled in. See custom-engine: optional fields,
 * transcript contract.
 */
export function fillResult(result: SessionResult, { engine, model, durationMs, input }: ResultDefaults): SessionResult {
  const { transcript = [] } = result;
  return {
    ...result,
    engine: isSet(result.engine) ? result.engine : engine,
    ...(isSet(result.model) || model !== "" ? { model: isSet(result.model) ? result.model : model } : {}),
    duration_ms: result.duration_ms ?? Math.round(durationMs),
    turns: result.turns ?? turnsOf(transcript),
    transcript: transcript.length > 0 ? transcript : minimalTranscript(input, result.final_message),
  };
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

/** Returns the input messages followed by the final message. */
function minimalTranscript({ messages }: SessionInput, finalMessage: string): TranscriptMessage[] {
  return [...messages, { role: "assistant", content: finalMessage }];
}

/**
 * Returns the number of turns of a transcript: the highest turn number or, without turn numbers, the number of
 * assistant messages. It is at least 1.
 */
function turnsOf(transcript: readonly TranscriptMessage[]): number {
  let turns = 0;
  let answers = 0;
  for (const { turn = 0, role } of transcript) {
    turns = Math.max(turns, turn);
    if (role === "assistant") answers += 1;
  }
  return turns > 0 ? turns : Math.max(1, answers);
}
