import { EngineError, type ErrorCode, type ErrorDetails, findEngineError } from "@switchyard/contracts";
import { classifyStatus, statusOfKind } from "./classify-status.ts";
import { isRecord, jsonValue, readErrorInfo, reportsError } from "./error-info.ts";
import { firstMismatch } from "./first-mismatch.ts";
import { maskedCause } from "./masked-cause.ts";
import { outputLimitIn } from "./output-limit.ts";
import {
  causesOf,
  describeNetwork,
  describeRefusal,
  type Mask,
  networkCode,
  oneLine,
  withWait,
} from "./problem-text.ts";
import { ReportedError } from "./reported-error.ts";
import { retryAfterMs } from "./retry-after.ts";
import { UnstreamedResponse } from "./unstreamed-response.ts";

/** Data about the failed call, from which the error is created. */
export interface FailureContext {
  /** Name of the provider. */
  provider: string;
  /** Requested model. */
  model: string;
  /** Environment variable that contains the API key. */
  variable: string;
  /** Requested address. `undefined` if no request was sent. */
  url: string | undefined;
  /** Status of the response. `undefined` if there was none. */
  status: number | undefined;
  /** Headers of the response. `undefined` if there was none. */
  headers: Headers | undefined;
  /** Current time in milliseconds. */
  nowMs: number;
  /** Removes secrets from a text. */
  mask: Mask;
  /**
   * `max_tokens` of the request, before the AI SDK's provider package adds a thinking budget. `undefined` if the
   * request had no limit.
   */
  maxTokens?: number | undefined;
}

const UNREADABLE = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
]);

/**
 * Maximum length, in UTF-16 units, of the text by which an error response without JSON is classified. The rest of the
 * response is ignored.
 */
const MAX_JUDGED = 4_096;

/** A failed exchange with a model API: the thrown error, and the request's context. */
interface Failure {
  error: unknown;
  context: FailureContext;
}

function make(code: ErrorCode, { error, context }: Failure, extra: ErrorDetails): EngineError {
  const { provider, model, variable, url } = context;
  const problem = typeof extra["problem"] === "string" ? context.mask(extra["problem"]) : "unknown";
  const details = { provider, model, variable, url, ...extra, problem };
  return new EngineError(code, details, { cause: maskedCause(error, context.mask) });
}

/** Returns the maximum `max_tokens` that the provider accepts for this request, if the rejection states that value. */
function outputLimitFor(body: string, { maxTokens }: FailureContext): { maxOutputTokens?: number } {
  const { limit, sent } = outputLimitIn(body) ?? {};
  if (limit === undefined) return {};
  // The sent value may include a thinking budget added by the provider's package.
  const added = sent === undefined || maxTokens === undefined ? 0 : Math.max(0, sent - maxTokens);
  return limit - added < 1 ? {} : { maxOutputTokens: limit - added };
}

function hostOf({ url }: FailureContext): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

function statusError(status: number, reported: unknown, failure: Failure): EngineError {
  const { headers, nowMs, mask } = failure.context;
  const body = typeof reported === "string" ? reported : undefined;
  const info = readErrorInfo(body === undefined ? reported : jsonValue(body));
  // An unparsable error is classified by its text, unless it is a web page, which says nothing about the request.
  const plain = info.text === "" && body !== undefined && !/^\s*</.test(body) ? body.slice(0, MAX_JUDGED) : info.text;
  const code = classifyStatus({ status, text: plain, host: hostOf(failure.context) });
  const limits = status < 500 ? outputLimitFor(plain, failure.context) : {};
  const redirect = status >= 300 && status < 400 ? headers?.get("location") : undefined;
  const { error } = failure;
  const statusText = error instanceof Error && error.name === "AI_APICallError" ? error.message : "";
  const problem =
    redirect === undefined || redirect === null
      ? describeRefusal({ info, body, statusText }, mask)
      : `it redirects to ${oneLine(redirect, mask)}; use the final address as the base URL`;
  const after = info.retryAfterMs ?? retryAfterMs(headers, nowMs);
  const waiting = after === undefined ? {} : { retryAfterMs: after };
  return make(code, failure, { status, problem: withWait(problem, after), ...waiting, ...limits });
}

/** Returns whether the connection failed while the response was read. */
function brokeOff(error: unknown): boolean {
  return (
    networkCode(error) !== undefined ||
    causesOf(error).some(({ message }) => /terminated|aborted|closed/i.test(message))
  );
}

/**
 * Converts a failure in a stream event that the AI SDK could not parse, because the server omitted fields of the error.
 */
function reportedError(event: unknown, failure: Failure): EngineError | undefined {
  const { message } = readErrorInfo(event);
  const isEvent = isRecord(event) && (event["type"] === "error" || event["type"] === "response.failed");
  const isReport = reportsError(event) || (isEvent && message !== undefined);
  return isReport ? convertReportedError(event, failure) : undefined;
}

/** Converts a failure while reading or parsing a response that started successfully. */
function bodyError(failure: Failure): EngineError {
  const { status } = failure.context;
  const unreadable = causesOf(failure.error).find((cause) => UNREADABLE.has(cause.name));
  const reported =
    unreadable !== undefined && "value" in unreadable ? reportedError(unreadable.value, failure) : undefined;
  if (reported !== undefined) return reported;
  if (unreadable === undefined && brokeOff(failure.error)) {
    return make("llm.stream_broken", failure, {
      status,
      problem: describeNetwork(failure.error, failure.context.mask),
    });
  }
  if (unreadable?.message.includes("function.name") === true) {
    return make("llm.invalid_tool_call", failure, { status, problem: "a call names no tool" });
  }
  if (unreadable?.message.includes("without a finish reason") === true) {
    return make("llm.stream_broken", failure, { status, problem: "it ended without a finish reason" });
  }
  return make("llm.invalid_response", failure, { status, problem: describeUnreadable(unreadable) });
}

function describeUnreadable(error: unknown): string {
  const name = isRecord(error) || error instanceof Error ? error.name : error;
  if (name === "AI_JSONParseError") return "it is not valid JSON";
  const mismatch = firstMismatch(error);
  return mismatch === undefined ? "it has an unexpected shape" : `it has an unexpected shape at ${mismatch}`;
}

/** Converts a failure reported in a response body, without an HTTP status. */
function convertReportedError(body: unknown, failure: Failure): EngineError {
  const { kind, status } = readErrorInfo(body);
  return statusError(status ?? statusOfKind(kind), body, failure);
}

/** Converts a failure that some servers report under a success status. */
function convertSuccessError(response: string | undefined, failure: Failure): EngineError | undefined {
  const body = response === undefined ? undefined : jsonValue(response);
  return reportsError(body) ? convertReportedError(body, failure) : undefined;
}

function unstreamedError({ body }: UnstreamedResponse, failure: Failure): EngineError {
  const { status } = failure.context;
  const problem =
    jsonValue(body) === undefined ? describeUnreadable("AI_JSONParseError") : "it is not a stream of events";
  return convertSuccessError(body, failure) ?? make("llm.invalid_response", failure, { status, problem });
}

function inStreamStatus(kind: string, status: number): number {
  const known = kind === "" ? 500 : statusOfKind(kind);
  return known === 500 ? status : known;
}

function callError(error: Error, failure: Failure): EngineError {
  const { context } = failure;
  const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : undefined;
  const body = "responseBody" in error && typeof error.responseBody === "string" ? error.responseBody : undefined;
  if (status === undefined && context.status === undefined) {
    return make("llm.network", failure, { problem: describeNetwork(error, context.mask) });
  }
  if (status === undefined || status < 300) {
    return convertSuccessError(body, failure) ?? bodyError(failure);
  }
  if (context.status === undefined || context.status >= 300) return statusError(status, body, failure);
  const parsed = body === undefined ? undefined : jsonValue(body);
  // The AI SDK presents a first event that it could not parse as a response of the provider.
  const name = isRecord(parsed) && typeof parsed["name"] === "string" ? parsed["name"] : "";
  if (UNREADABLE.has(name)) {
    const reported = isRecord(parsed) ? reportedError(parsed["value"], failure) : undefined;
    if (reported !== undefined) return reported;
    return make("llm.invalid_response", failure, { status: context.status, problem: describeUnreadable(parsed) });
  }
  // For a failure inside a stream, its own kind is more specific than the synthetic status.
  const { kind } = readErrorInfo(parsed);
  return statusError(inStreamStatus(kind, status), body, failure);
}

function misuse(error: Error, failure: Failure): EngineError | undefined {
  const { mask } = failure.context;
  if (error.name === "AI_UnsupportedFunctionalityError") {
    const part = "functionality" in error ? String(error.functionality) : error.message;
    return make("llm.unsupported_part", failure, { part: oneLine(part, mask), problem: oneLine(error.message, mask) });
  }
  if (error.name !== "AI_InvalidArgumentError" && error.name !== "AI_InvalidPromptError") return undefined;
  const field = "argument" in error ? String(error.argument) : "request";
  return make("config.invalid", failure, { field, problem: oneLine(error.message, mask) });
}

/**
 * Converts any failure of a model call to an `EngineError` with provider, status, address and a short, masked problem.
 * See unified-llm-client: errors.
 */
export function toLlmError(error: unknown, context: FailureContext): EngineError {
  const failure: Failure = { error, context };
  const known = findEngineError(error);
  if (known !== undefined) return known;
  if (!(error instanceof Error)) {
    // Converts a failure reported in the middle of a stream.
    const status = isRecord(error) && typeof error["statusCode"] === "number" ? error["statusCode"] : undefined;
    const { kind, status: reported } = readErrorInfo(error);
    return statusError(status ?? reported ?? statusOfKind(kind), error, failure);
  }
  if (error instanceof ReportedError) return convertReportedError(error.body, failure);
  if (error instanceof UnstreamedResponse) return unstreamedError(error, failure);
  if (error.name === "AI_APICallError") return callError(error, failure);
  const misused = misuse(error, failure);
  if (misused !== undefined) return misused;
  if (context.status !== undefined && context.status < 300) return bodyError(failure);
  if (networkCode(error) !== undefined || error.message === "fetch failed") {
    return make("llm.network", failure, { problem: describeNetwork(error, context.mask) });
  }
  return make("llm.unknown", failure, { problem: oneLine(error.message, context.mask) });
}
