import type { SessionInput, SessionResult, TranscriptMessage } from "@switchyard/contracts";

/** What a result is filled up with. */
export interface ResultDefaults {
  /** Name of the engine. */
  readonly engine: string;
  /** Model reference; empty without a model. */
  readonly model: string;
  /** Time the call took, in milliseconds. */
  readonly durationMs: number;
  /** What the engine was sent. */
  readonly input: SessionInput;
}

/** A result with what its engine left out. custom-engine: optional fields, transcript contract. */
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

/** The conversation that was sent, and the last words. */
function minimalTranscript({ messages }: SessionInput, finalMessage: string): TranscriptMessage[] {
  return [...messages, { role: "assistant", content: finalMessage }];
}

/** The highest number of a turn, else the answers there were; at least one. */
function turnsOf(transcript: readonly TranscriptMessage[]): number {
  let turns = 0;
  let answers = 0;
  for (const { turn = 0, role } of transcript) {
    turns = Math.max(turns, turn);
    if (role === "assistant") answers += 1;
  }
  return turns > 0 ? turns : Math.max(1, answers);
}
