// @ts-check

/** @import { TranscriptMessage, TranscriptToolCall, TranscriptToolResult } from "@switchyard/contracts" */

/** How an effect stands in a command: `effect op-03 1`, the operation and how often the model has asked for it. */
const EFFECT = /\beffect (op-\d+) (\d+)/;
/** What a call id of the scripted model is made of: step and place, then the try or the number of the check. */
const CALL_ID = /^(s\d+-\d+)\.(try|check)(\d+)$/;
const TRY = /\b(op-\d+) \d+/g;
const DURATION = /Duration: \d+ms/g;

/**
 * The operation and the try that a call asks for; nothing when it asks for no effect.
 * @param {string} text
 * @returns {string | undefined}
 */
export function effectOf(text) {
  const [, operation, attempt] = EFFECT.exec(text) ?? [];
  return operation === undefined ? undefined : `${operation} ${attempt}`;
}

/**
 * Whether a result says that nobody knows what the call did.
 * @param {string} content
 * @returns {boolean}
 */
export function isUnknown(content) {
  return content.startsWith("unknown_outcome");
}

/**
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {TranscriptToolCall[]}
 */
export function callsOf(transcript) {
  return transcript.flatMap((message) => message.tool_calls ?? []);
}

/**
 * The results of each call, in order.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {Map<string, TranscriptToolResult[]>}
 */
export function resultsOf(transcript) {
  /** @type {Map<string, TranscriptToolResult[]>} */
  const results = new Map();
  for (const { tool_result: result } of transcript) {
    if (result === undefined) continue;
    results.set(result.call_id, [...(results.get(result.call_id) ?? []), result]);
  }
  return results;
}

/**
 * Whether a crash shows in a conversation: it may then hold checks and repetitions.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {boolean}
 */
export function showsCrash(transcript) {
  return transcript.some(({ tool_result: result }) => result !== undefined && isUnknown(result.content));
}

/**
 * A conversation without what differs between two runs that did the same: times, and nothing else.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {unknown[]}
 */
export function withoutTimes(transcript) {
  return transcript.map(({ timestamp: _, tool_result: result, ...message }) => {
    if (result === undefined) return message;
    const { duration_ms: __, ...rest } = result;
    const content = message.content.replace(DURATION, "");
    return { ...message, content, tool_result: { ...rest, content: result.content.replace(DURATION, "") } };
  });
}

/**
 * What a conversation comes to when checks and calls of unknown outcome are left out: each call with its one outcome,
 * and the last words. A call that was found to be done has no outcome but its effect.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {{ calls: Map<string, { asked: string, outcome: string | undefined }>, lastWords: string }}
 */
export function essenceOf(transcript) {
  const results = resultsOf(transcript);
  /** @type {Map<string, { asked: string, outcome: string | undefined }>} */
  const calls = new Map();
  for (const call of callsOf(transcript)) {
    const [, place, kind] = CALL_ID.exec(call.id) ?? [];
    if (place === undefined || kind === "check") continue;
    const [result] = results.get(call.id) ?? [];
    const known = result !== undefined && !isUnknown(result.content);
    const outcome = known ? `${result.status}: ${result.content.replace(DURATION, "")}` : undefined;
    calls.set(place, { asked: `${call.name} ${call.arguments.replace(TRY, "$1")}`, outcome });
  }
  return { calls, lastWords: transcript.at(-1)?.content ?? "" };
}
