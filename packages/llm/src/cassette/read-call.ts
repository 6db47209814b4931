import {
  type FinishReason,
  type Message,
  type ModelResponse,
  NO_USAGE,
  type Part,
  type ToolDefinition,
  type Usage,
} from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import type { RecordedCall, RecordedError, RecordedRequest } from "./cassette.ts";
import { readMessage } from "./read-message.ts";

type Fail = (problem: string) => never;
type Plain = Readonly<Record<string, unknown>>;

const FINISH_REASONS: ReadonlySet<unknown> = new Set([
  "stop",
  "length",
  "tool_calls",
  "content_filter",
  "error",
  "other",
]);

function isTool(value: unknown): value is ToolDefinition {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["description"] === "string" &&
    isRecord(value["parameters"])
  );
}

function isToolList(value: unknown): value is readonly ToolDefinition[] {
  return Array.isArray(value) && value.every(isTool);
}

function isFinishReason(value: unknown): value is FinishReason {
  return isRecord(value) && FINISH_REASONS.has(value["unified"]);
}

function isUsage(value: unknown): value is Usage {
  return (
    isRecord(value) && ["inputTokens", "outputTokens", "totalTokens"].every((name) => typeof value[name] === "number")
  );
}

function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function readTools(
  request: Plain,
  previous: RecordedRequest | undefined,
  fail: Fail,
): readonly ToolDefinition[] | undefined {
  if (request["toolsUnchanged"] === true)
    return previous?.tools ?? fail("request.toolsUnchanged has no call before it");
  const tools = request["tools"];
  if (tools === undefined) return undefined;
  return isToolList(tools) ? tools : fail("request.tools is not a list of tool definitions");
}

function readMessages(request: Plain, previous: RecordedRequest | undefined, fail: Fail): readonly Message[] {
  const { after, messages } = request;
  if (!Array.isArray(messages)) return fail("request.messages is not a list");
  const added = messages.map((message, index) => readMessage(message, `request.messages[${index}]`, fail));
  if (after === undefined) return added;
  const known = previous?.messages ?? [];
  if (typeof after !== "number" || !Number.isInteger(after) || after < 0 || after > known.length) {
    return fail(`request.after is ${String(after)}, but the call before it has ${known.length} messages`);
  }
  return [...known.slice(0, after), ...added];
}

/** Parses the request on a line of a recording, and returns it with the complete history. */
function readRequest(value: unknown, previous: RecordedRequest | undefined, fail: Fail): RecordedRequest {
  if (!isRecord(value) || typeof value["model"] !== "string") return fail("it needs a request with a model");
  const { after: _after, toolsUnchanged: _unchanged, messages: _messages, tools: _tools, ...settings } = value;
  const tools = readTools(value, previous, fail);
  const messages = readMessages(value, previous, fail);
  return { ...settings, model: value["model"], ...(tools === undefined ? {} : { tools }), messages };
}

/** Parses the response on a line of a recording, and adds defaults for handwritten responses. */
function readResponse(value: unknown, request: RecordedRequest, at: { index: number; fail: Fail }): ModelResponse {
  if (!isRecord(value)) return at.fail("response is not an object");
  const message = readMessage(value["message"], "response.message", at.fail);
  if (message.role !== "assistant") return at.fail("response.message is not the assistant's");
  const called = message.parts.some((part) => part.type === "tool_call");
  const { finishReason = { unified: called ? "tool_calls" : "stop" }, usage = { ...NO_USAGE } } = value;
  if (!isFinishReason(finishReason)) return at.fail("response.finishReason is unknown");
  if (!isUsage(usage)) return at.fail("response.usage needs inputTokens, outputTokens and totalTokens");
  const provider = typeof value["provider"] === "string" ? value["provider"] : (request.provider ?? "recording");
  return {
    ...(isRecord(value["rateLimit"]) ? { rateLimit: value["rateLimit"] } : {}),
    id: typeof value["id"] === "string" ? value["id"] : `recorded-${at.index}`,
    model: typeof value["model"] === "string" ? value["model"] : request.model,
    provider,
    message: message.origin === undefined ? { ...message, origin: { provider, model: request.model } } : message,
    finishReason,
    usage,
    warnings: textList(value["warnings"]),
  };
}

function readError(value: unknown, fail: Fail): RecordedError {
  if (!isRecord(value) || typeof value["code"] !== "string") return fail("error needs a code");
  const { code, message, details } = value;
  return { code, message: typeof message === "string" ? message : code, details: isRecord(details) ? details : {} };
}

function isLengths(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((length) => Number.isInteger(length) && length >= 0);
}

function isPieces(value: unknown): value is readonly (readonly number[])[] {
  return Array.isArray(value) && value.every(isLengths);
}

/**
 * Parses the fields of a recorded call that describe its stream: delivered content, incomplete parts and chunk lengths.
 * Fields that the call does not contain are omitted.
 */
function readStream(
  { pieces, delivered, unfinished }: Plain,
  fail: Fail,
): Pick<RecordedCall, "pieces" | "delivered" | "unfinished"> {
  if (pieces !== undefined && !isPieces(pieces)) return fail("pieces are not lists of lengths");
  if (unfinished !== undefined && !isLengths(unfinished)) return fail("unfinished is not a list of positions");
  return {
    ...(delivered === undefined ? {} : { delivered: readDelivered(delivered, fail) }),
    ...(pieces === undefined ? {} : { pieces }),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

function readDelivered(parts: unknown, fail: Fail): readonly Part[] {
  return readMessage({ role: "assistant", parts }, "delivered", fail).parts;
}

/** Parses one recorded call: a line after the header line of a recording. */
export function readCall(
  value: unknown,
  previous: RecordedCall | undefined,
  at: { index: number; fail: Fail },
): RecordedCall {
  if (!isRecord(value)) return at.fail("it is not an object");
  const request = readRequest(value["request"], previous?.request, at.fail);
  const { response, error } = value;
  if ((response === undefined) === (error === undefined)) return at.fail("it needs either a response or an error");
  const stream = readStream(value, at.fail);
  if (response !== undefined) return { request, response: readResponse(response, request, at), ...stream };
  return { request, error: readError(error, at.fail), ...stream };
}
