import { EngineError, type Message, type ModelRequest, type ModelResponse, type Usage } from "@switchyard/contracts";
import { storeUnsavedTurns } from "../checkpoint/reach-boundary.ts";
import { addMissingResults } from "../conversation/open-calls.ts";
import { type ParsedResponse, parseResponse } from "../conversation/parse-response.ts";
import type { AssistantTurn } from "../conversation/turn.ts";
import { hookedRequest, hookedResponse } from "../hooks/hook-model-call.ts";
import { rejectOnAbort } from "../session/reject-on-abort.ts";
import type { SessionCore } from "../session/session-core.ts";
import { settleTools } from "../session/settle-tools.ts";
import { checkContextUsage } from "./check-context-usage.ts";
import { normalizeUsage } from "./normalize-usage.ts";
import { type ResponseReceiver, readStream, responseTooLarge, type StreamedText } from "./read-stream.ts";
import { recordPartialResponse, recordResponse, usageOf } from "./record-response.ts";
import { buildRequest } from "./round-request.ts";

/** Makes one model call without streaming. See loop: §2.5 step 3. Never rejects. */
async function completeResponse(core: SessionCore, request: ModelRequest, awaited: ResponseReceiver): Promise<void> {
  try {
    const response = await rejectOnAbort(core.client.complete(request), core.signal);
    core.turnRetries.begin();
    core.emit("assistant_text_start", {});
    awaited.accept(response);
  } catch (error) {
    awaited.fail(error);
  }
}

/**
 * Reports usage to the host. If reporting fails, the response stays recorded because it is billed, but its tool calls
 * are not executed.
 */
async function reportUsage(core: SessionCore, usage: Usage): Promise<void> {
  try {
    await core.reportUsage?.(usage);
  } catch (error) {
    addMissingResults(core);
    await storeUnsavedTurns(core);
    throw error;
  }
}

/** Passes a response to the hooks and records the result. The usage of the response is counted even if a hook fails. */
async function recordHooked(core: SessionCore, response: ModelResponse, usage: Usage): Promise<AssistantTurn> {
  try {
    return recordResponse(core, await hookedResponse(core, response));
  } catch (error) {
    const withheld: Message = { role: "assistant", parts: [] };
    recordResponse(core, { ...response, message: withheld, finishReason: { unified: "error" }, warnings: [] });
    await reportUsage(core, usage);
    throw error;
  }
}

/**
 * Handles a failed response and rejects with its error. If the turn is retried, nothing is recorded. Otherwise the text
 * that the user saw is recorded.
 */
async function failResponse(core: SessionCore, partial: StreamedText, error: unknown): Promise<never> {
  if (core.turnRetries.isRetried(error)) {
    core.turnRetries.discard(partial.size > 0);
    if (partial.hasStarted) core.emit("assistant_text_end", { content: "", finish_reason: "retried" });
    throw error;
  }
  await storeUnsavedTurns(core);
  recordPartialResponse(core, partial);
  throw error;
}

/**
 * Handles a response that is too large: records the shown text and the usage, then rejects with `llm.answer_too_large`.
 */
async function refuseLargeResponse(core: SessionCore, partial: StreamedText, response: ModelResponse): Promise<never> {
  await storeUnsavedTurns(core);
  const usage = usageOf(core, response);
  const text = partial.pieces.join("");
  const shown: Message = { role: "assistant", parts: text === "" ? [] : [{ type: "text", text }] };
  recordResponse(core, { ...response, message: shown, finishReason: { unified: "error" }, warnings: [] });
  await reportUsage(core, usage);
  throw responseTooLarge(core);
}

/** Records a response and reports its usage to the host. */
async function recordAndReport(core: SessionCore, response: ModelResponse): Promise<AssistantTurn> {
  // Computed before the response is recorded. Afterwards the response id would be known, and the usage would count as a
  // duplicate.
  const usage = usageOf(core, response);
  const isHooked = core.hooks?.afterModelCall !== undefined;
  const turn = isHooked ? await recordHooked(core, response, usage) : recordResponse(core, response);
  checkContextUsage(core);
  await reportUsage(core, usage);
  return turn;
}

/**
 * Records a complete response, or fails it if it is invalid or too large. Synchronous if neither hooks nor usage
 * reports are configured.
 */
function take(
  core: SessionCore,
  partial: StreamedText,
  answered: ModelResponse,
): AssistantTurn | Promise<AssistantTurn> {
  let response: ModelResponse;
  let answer: ParsedResponse;
  try {
    response = normalizeUsage(answered);
    answer = parseResponse(response.message);
  } catch (error) {
    return failResponse(core, partial, error);
  }
  if (answer.size > core.config.maxResponseChars) return refuseLargeResponse(core, partial, response);
  if (core.hooks?.afterModelCall !== undefined || core.reportUsage !== undefined)
    return recordAndReport(core, response);
  const turn = recordResponse(core, response, answer);
  checkContextUsage(core);
  return turn;
}

/** Response that is being received, until it is recorded as a turn. */
class PendingResponse implements ResponseReceiver {
  readonly core: SessionCore;
  hasStarted = false;
  pieces: string[] = [];
  size = 0;
  isOver = false;
  readonly giveUp: () => void = () => this.abort();
  readonly #resolve: (turn: AssistantTurn | Promise<AssistantTurn>) => void;

  constructor(core: SessionCore, resolve: (turn: AssistantTurn | Promise<AssistantTurn>) => void) {
    this.core = core;
    this.#resolve = resolve;
  }

  abort(): void {
    this.fail(new EngineError("llm.aborted", {}, { cause: this.core.signal.reason }));
  }

  accept(response: ModelResponse): void {
    if (this.isOver) return;
    this.isOver = true;
    this.core.turnRetries.succeed();
    try {
      this.#resolve(take(this.core, this, response));
    } catch (error) {
      this.#resolve(Promise.reject(error));
    }
  }

  fail(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#resolve(failResponse(this.core, this, error));
  }
}

/** Makes one model call, streamed if the profile supports it. See loop: §2.5 step 3. */
function call(core: SessionCore, request: ModelRequest): Promise<AssistantTurn> {
  return new Promise((resolve) => {
    const called = new PendingResponse(core, resolve);
    if (core.profile.supportsStreaming) void readStream(core, request, called);
    else void completeResponse(core, request, called);
  });
}

async function prepareAndCall(core: SessionCore): Promise<AssistantTurn> {
  await settleTools(core);
  const systemPrompt = core.systemPrompt ?? (await core.buildSystemPrompt());
  // A system prompt whose creation was aborted is incomplete, so it is not stored.
  if (!core.signal.aborted) core.systemPrompt = systemPrompt;
  const request = buildRequest(core, systemPrompt);
  if (core.hooks === undefined) return call(core, request);
  let hooked: ModelRequest;
  try {
    hooked = await hookedRequest(core, request);
  } catch (error) {
    await storeUnsavedTurns(core);
    throw error;
  }
  return call(core, hooked);
}

/**
 * Calls the model once and records the response. Rejects with the call's `llm.*` error. See loop: §2.5 steps 2 to 4.
 */
export function callModel(core: SessionCore): Promise<AssistantTurn> {
  const { systemPrompt, hooks, toolSource } = core;
  if (systemPrompt === undefined || hooks !== undefined || toolSource !== undefined) return prepareAndCall(core);
  return call(core, buildRequest(core, systemPrompt));
}
