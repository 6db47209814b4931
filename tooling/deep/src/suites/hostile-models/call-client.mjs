// @ts-check
import { EngineError, textOf, toolCallsOf } from "@switchyard/contracts";
import { withRetry } from "@switchyard/llm";
import { openHostileModelServer } from "@switchyard/testkit";
import { createModelClient } from "./model-client.mjs";
import { mayHaveLostUsage } from "./usage-check.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** @import { Client, ModelRequest, ModelResponse } from "@switchyard/contracts" */
/** @import { HostileModelLedger, HostileModelRequest, HostileModelServer } from "@switchyard/testkit" */
/** @import { HostileCase } from "./generated-case.mjs" */
/** @import { Wrap } from "./faulty-client.mjs" */

/** Error codes by status. */
const STATUS_CODES = new Map([
  .../** @type {const} */ ([
    [400, "llm.invalid_request"],
    [401, "llm.authentication"],
    [403, "llm.access_denied"],
  ]),
  .../** @type {const} */ ([
    [404, "llm.not_found"],
    [408, "llm.invalid_request"],
    [429, "llm.rate_limited"],
  ]),
]);
const BROKEN = ["llm.network", "llm.stream_broken"];
const UNREADABLE = ["llm.invalid_response", "llm.stream_broken", "llm.invalid_tool_call"];

/** Error codes allowed after each fault. Empty for complete responses. */
const CODES = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  break: BROKEN,
  stall: ["llm.request_timeout", "llm.stream_stalled", ...BROKEN],
  malformed: UNREADABLE,
  error_event: ["llm.server_error"],
  unfinished: ["llm.stream_broken"],
});

/** The client's reaction to complete but useless responses. */
const REASONS = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  ...{ empty: ["stop"], calls_absent: ["tool_calls", "stop"], cut_off: ["length"] },
  ...{ failed: ["error", "stop"], filtered: ["content_filter"] },
});

/**
 * One call, as seen by its caller.
 * @typedef {object} Called
 * @property {ModelResponse | undefined} response
 * @property {unknown} error
 * @property {boolean} hasContent Whether a part of the response was delivered.
 * @property {readonly HostileModelRequest[]} requests The requests that it made.
 * @property {number} requestsAfterContent Those that began after a part was delivered.
 */

/**
 * Calls the client directly: once for each response of the first turn, and once with retries.
 * @param {HostileCase} generated
 * @param {Wrap} wrap
 * @returns {Promise<{ problems: string[], ledger: HostileModelLedger }>}
 */
export async function callClient(generated, wrap) {
  const { api, script, plan, random } = generated;
  const time = new VirtualTime();
  const options = { script, plan, now: time.now, onStall: time.passUntil, delay: async () => undefined };
  const server = await openHostileModelServer(options);
  const connection = { now: time.now, schedule: time.schedule, baseUrl: server.baseUrl(api) };
  const client = wrap(time.timed(createModelClient(api, connection)));
  /** @type {string[]} */
  const problems = [];
  const again = Math.floor(random() * (plan.turns[0]?.length ?? 1));
  try {
    for (let attempt = 0; attempt < (plan.turns[0]?.length ?? 0); attempt += 1) {
      const called = await call(client, server, random() < 0.6);
      problems.push(
        ...callProblems(called, generated),
        ...(called.requests.length === 1 ? [] : ["a call was retried"]),
      );
    }
    const retrying = withRetry(client, { jitter: 0, delay: async () => undefined, retries: again });
    const called = await call(retrying, server, true);
    if (called.requests.length > 1 + again) problems.push("a call was retried more often than allowed");
    problems.push(...callProblems(called, generated), ...server.ledger().problems);
    return { problems, ledger: server.ledger() };
  } finally {
    await client.close();
    await server.close();
  }
}

/**
 * @param {Client} client
 * @param {HostileModelServer} server
 * @param {boolean} isStreamed
 * @returns {Promise<Called>}
 */
async function call(client, server, isStreamed) {
  const before = server.ledger().requests.length;
  const parameters = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };
  /** @type {ModelRequest} */
  const request = {
    model: "hostile",
    messages: [{ role: "user", parts: [{ type: "text", text: "Have the effects." }] }],
    tools: [{ name: "effect", description: "Has an effect.", parameters }],
  };
  /** @type {ModelResponse | undefined} */
  let response;
  let error;
  let whenContent = -1;
  try {
    if (!isStreamed) response = await client.complete(request);
    else {
      for await (const event of client.stream(request)) {
        if (event.type.endsWith("_delta") && whenContent < 0) whenContent = server.ledger().requests.length;
        if (event.type === "finish") response = event.response;
      }
    }
  } catch (thrown) {
    error = thrown;
  }
  const { requests } = server.ledger();
  const requestsAfterContent = whenContent < 0 ? 0 : requests.length - whenContent;
  return { response, error, hasContent: whenContent >= 0, requests: requests.slice(before), requestsAfterContent };
}

/**
 * @param {Called} called
 * @param {HostileCase} generated
 * @returns {string[]}
 */
function callProblems(called, generated) {
  const request = called.requests.at(-1);
  if (request === undefined) return [`no request was made: ${String(called.error)}`];
  const name = `request ${request.number} (${request.isStreamed ? "streamed" : "whole"}, ${JSON.stringify(request.fault ?? "no fault")}, ${request.oddities})`;
  const late = called.requestsAfterContent > 0 ? ["a call was retried after a part of its response was delivered"] : [];
  const found =
    called.response === undefined
      ? errorProblems(called, request)
      : responseProblems(called.response, request, generated);
  return [...late, ...found].map((problem) => `${name}: ${problem}`);
}

/**
 * @param {Called} called
 * @param {HostileModelRequest} request
 * @returns {string[]}
 */
function errorProblems({ error }, request) {
  if (!EngineError.is(error)) return [`it failed with ${String(error)}`];
  return [...codeProblems(error, request), ...partialUsageProblems(error, request)];
}

/**
 * @param {EngineError} error
 * @param {HostileModelRequest} request
 * @returns {string[]}
 */
function codeProblems(error, { fault, isStreamed }) {
  const expected =
    fault?.kind === "status"
      ? [STATUS_CODES.get(/** @type {400} */ (fault.status)) ?? "llm.server_error"]
      : (CODES[fault?.kind ?? ""] ?? []);
  // A complete response without a finish reason is not broken off; it lacks a field.
  if (fault?.kind === "unfinished" && !isStreamed && error.code === "llm.invalid_response") return [];
  return expected.includes(error.code)
    ? []
    : [`it failed with ${error.code} (${error.message}), not ${expected.join(" or ")}`];
}

/**
 * Returns problems of a failure that must report the usage of its response.
 * @param {EngineError} error
 * @param {HostileModelRequest} request
 * @returns {string[]}
 */
function partialUsageProblems({ details }, request) {
  const { usage, usages } = request;
  const reported = usageText(details["usage"]);
  const expected = usageText(usage);
  if (reported === expected) return [];
  if (mayHaveLostUsage(request) && ["", ...usages.map(usageText)].includes(reported)) return [];
  return [`its failure reports the usage ${reported || "none"}, not ${expected || "none"}`];
}

/**
 * @param {unknown} usage
 * @returns {string}
 */
function usageText(usage) {
  if (typeof usage !== "object" || usage === null) return "";
  return `${Reflect.get(usage, "inputTokens")},${Reflect.get(usage, "outputTokens")}`;
}

/**
 * @param {ModelResponse} response
 * @param {HostileModelRequest} request
 * @param {HostileCase} generated
 * @returns {string[]}
 */
function responseProblems(response, request, { script }) {
  const { fault, outcome, usage, isTurn, number } = request;
  const { unified } = response.finishReason;
  // A client that lacks only the last bytes of a response may treat it as complete.
  const isEnd = outcome === "broken" && !hasLostContent(request);
  if (outcome === "broken" && !isEnd) return ["a response that was never complete was taken for complete"];
  const reasons = REASONS[fault?.kind ?? ""];
  if (reasons !== undefined && !reasons.includes(unified)) return [`its finish reason is ${unified}`];
  const problems = [];
  const counted = [response.usage.inputTokens, response.usage.outputTokens];
  const said = [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0];
  if (outcome === "complete" && String(counted) !== String(said)) problems.push(`its usage is ${counted}, not ${said}`);
  if (!isTurn) return problems;
  const parts = script[0]?.parts ?? [];
  const text = `[resp_${number}] ${parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")}`;
  if (textOf(response.message) !== text) problems.push(`its text is ${textOf(response.message)}, not ${text}`);
  const calls = toolCallsOf(response).map(({ name, arguments: input }) => `${name} ${input}`);
  const asked = parts.flatMap((part) => (part.type === "tool_call" ? [`${part.name} ${part.arguments}`] : []));
  if (String(calls) !== String(asked)) problems.push(`its calls are ${calls}, not ${asked}`);
  if (unified !== "tool_calls") problems.push(`its finish reason is ${unified}`);
  return problems;
}

/**
 * @param {HostileModelRequest} request
 * @returns {boolean}
 */
function hasLostContent({ fault }) {
  return !((fault?.kind === "break" || fault?.kind === "stall") && (fault.at === "end" || fault.at === "any"));
}
