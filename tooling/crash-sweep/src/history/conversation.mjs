// @ts-check

/** @import { TranscriptMessage, TranscriptToolCall, TranscriptToolResult } from "@switchyard/contracts" */
/** @import { FinalState } from "./history.mjs" */

/**
 * A call as a conversation comes to it: what was asked for, its outcome, and what was asked of it later.
 * @typedef {{ asked: string, outcome: string | undefined, polled: string | undefined }} EssentialCall
 */

/** How an effect stands in a command: `effect op-03 1`, the operation and how often the model has asked for it. */
const EFFECT = /\beffect (op-\d+) (\d+)/;
/** What a call id of the scripted model is made of: step and place, then the try or the number of the check. */
const CALL_ID = /^(s\d+-\d+)\.(try|poll|check)(\d+)$/;
const TRY = /\b(op-\d+) \d+/g;
/** The number of a try in the id of a call that another call names. */
const TRIED = /\.try\d+/g;
/** What differs between two runs that did the same: times, and how many answers a subagent needed. */
const VARYING = /Duration: \d+ms|(?<=\bagent-[\d-]+ \w+ )after \d+ turns?/g;
const BUILT = /\[Exit code: 0\b/;

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
 * Whether a result says that a command in the background is gone with the process that started it.
 * @param {string} content
 * @returns {boolean}
 */
export function isLost(content) {
  return /^The background command \S+ is lost: the run was cut off/.test(content);
}

/**
 * Every conversation of a run by the name of its agent: that of the run itself, and those of its subagents.
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
 * Whether a call only starts a command, whose effects come later.
 * @param {TranscriptToolCall} call
 * @returns {boolean}
 */
export function isInBackground(call) {
  return /"background":\s*true/.test(call.arguments);
}

/**
 * Whether the conversation was told that a command in the background came to a good end.
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
 * Whether a crash shows in a conversation: it may then hold checks and repetitions.
 * @param {readonly TranscriptMessage[]} transcript
 * @returns {boolean}
 */
export function showsCrash(transcript) {
  return transcript.some(({ tool_result: result }) => {
    return result !== undefined && (isUnknown(result.content) || isLost(result.content));
  });
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
    const content = message.content.replace(VARYING, "");
    return { ...message, content, tool_result: { ...rest, content: result.content.replace(VARYING, "") } };
  });
}

/**
 * What a conversation comes to when checks and calls of unknown outcome are left out: each call with its one outcome,
 * and the last words. A call that was found to be done has no outcome but its effect.
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
 * What is known of the outcome of a call; nothing where the conversation says that nobody knows.
 * @param {TranscriptToolResult | undefined} result
 * @returns {string | undefined}
 */
function outcomeOf(result) {
  if (result === undefined || isUnknown(result.content) || isLost(result.content)) return undefined;
  return `${result.status}: ${result.content.replace(VARYING, "").replace(TRIED, "")}`;
}
