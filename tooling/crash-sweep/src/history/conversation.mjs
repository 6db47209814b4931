// @ts-check

/** @import { TranscriptMessage, TranscriptToolCall, TranscriptToolResult } from "@switchyard/contracts" */
/** @import { FinalState } from "./history.mjs" */

/**
 * Essence of a call: its request, its outcome, and later polls.
 * @typedef {{ asked: string, outcome: string | undefined, polled: string | undefined }} EssentialCall
 */

/** Notation of an effect in a command: `effect op-03 1`, the operation and the number of the model's attempt. */
const EFFECT = /\beffect (op-\d+) (\d+)/;
/** Parts of the scripted model's call ids: step and position, then the number of the attempt or check. */
const CALL_ID = /^(s\d+-\d+)\.(try|poll|check)(\d+)$/;
const TRY = /\b(op-\d+) \d+/g;
/** Number of an attempt in a call id that another call contains. */
const TRIED = /\.try\d+/g;
/** Differences between two equivalent runs: times, and the number of a subagent's responses. */
const VARYING = /Duration: \d+ms|(?<=\bagent-[\d-]+ \w+ )after \d+ turns?/g;
const BUILT = /\[Exit code: 0\b/;

/**
 * Returns the operation and attempt that a call requests. `undefined` if it requests no effect.
 * @param {string} text
 * @returns {string | undefined}
 */
export function effectOf(text) {
  const [, operation, attempt] = EFFECT.exec(text) ?? [];
  return operation === undefined ? undefined : `${operation} ${attempt}`;
}

/**
 * Returns whether a result states that the outcome of the call is unknown.
 * @param {string} content
 * @returns {boolean}
 */
export function isUnknown(content) {
  return content.startsWith("unknown_outcome");
}

/**
 * Returns whether a result states that a background command ended with the process that started it.
 * @param {string} content
 * @returns {boolean}
 */
export function isLost(content) {
  return /^The background command \S+ is lost: the run was cut off/.test(content);
}

/**
 * Returns every conversation of a run by agent name: that of the run, and those of its subagents.
 * @param {FinalState} final
 * @returns {[agent: string, transcript: readonly TranscriptMessage[]][]}
 */
export function conversationsOf({ report, members }) {
  return [["the agent", report.result?.transcript ?? []], ...Object.entries(members)];
}

/**
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {TranscriptToolCall[]}
 */
export function callsOf(transcript) {
  return transcript.flatMap((message) => message.tool_calls ?? []);
}

/**
 * Returns the results of each call, in order.
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
 * Returns whether a call only starts a command, which takes effect later.
 * @param {TranscriptToolCall} call
 * @returns {boolean}
 */
export function isInBackground(call) {
  return /"background":\s*true/.test(call.arguments);
}

/**
 * Returns whether the conversation reports that a background command succeeded.
 * @param {readonly TranscriptMessage[]} transcript
 * @param {string} id Of the call that started it.
 * @returns {boolean}
 */
export function wasBuilt(transcript, id) {
  const results = resultsOf(transcript);
  return callsOf(transcript).some((call) => {
    const isAbout = call.name === "shell_output" && call.arguments.includes(JSON.stringify(id));
    return isAbout && results.get(call.id)?.some(({ content }) => BUILT.test(content)) === true;
  });
}

/**
 * Returns whether a conversation shows a crash, after which it may contain checks and repetitions.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {boolean}
 */
export function showsCrash(transcript) {
  return transcript.some(({ tool_result: result }) => {
    return result !== undefined && (isUnknown(result.content) || isLost(result.content));
  });
}

/**
 * Returns a conversation without times, which differ between equivalent runs.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {unknown[]}
 */
export function withoutTimes(transcript) {
  return transcript.map(({ timestamp: _, tool_result: result, ...message }) => {
    if (result === undefined) return message;
    const { duration_ms: __, ...rest } = result;
    const content = message.content.replace(VARYING, "");
    return { ...message, content, tool_result: { ...rest, content: result.content.replace(VARYING, "") } };
  });
}

/**
 * Returns the essence of a conversation, without checks and calls of unknown outcome: each call with its one outcome,
 * and the last text. A call found to be complete has no outcome but its effect.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {{ calls: Map<string, EssentialCall>, said: string[] }}
 */
export function essenceOf(transcript) {
  const results = resultsOf(transcript);
  /** @type {Map<string, EssentialCall>} */
  const calls = new Map();
  for (const call of callsOf(transcript)) {
    const [, place, kind] = CALL_ID.exec(call.id) ?? [];
    if (place === undefined || kind === "check") continue;
    const outcome = outcomeOf(results.get(call.id)?.[0]);
    const asked = `${call.name} ${call.arguments.replace(TRY, "$1").replace(TRIED, "")}`;
    const before = calls.get(place);
    calls.set(
      place,
      kind === "poll" && before !== undefined ? { ...before, polled: outcome } : { asked, outcome, polled: undefined },
    );
  }
  const said = transcript.filter(({ role, tool_calls: made }) => role === "user" || (role === "assistant" && !made));
  return { calls, said: said.map(({ role, content }) => `${role}: ${content}`) };
}

/**
 * Returns the known outcome of a call. `undefined` if it is unknown.
 * @param {TranscriptToolResult | undefined} result
 * @returns {string | undefined}
 */
function outcomeOf(result) {
  if (result === undefined || isUnknown(result.content) || isLost(result.content)) return undefined;
  return `${result.status}: ${result.content.replace(VARYING, "").replace(TRIED, "")}`;
}
