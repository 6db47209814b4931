import {
  type Client,
  EngineError,
  type FinishReason,
  type ModelRequest,
  type ModelResponse,
  type Part,
  type StreamEvent,
  textOf,
  type Usage,
} from "@switchyard/contracts";
import type { AnswerStep, FailureStep, ScriptStep } from "./script-step.ts";
import { toStreamEvents } from "./to-stream-events.ts";

/** Options of a scripted client. */
export interface ScriptedClientOptions {
  /** Name of the provider in the responses. Default: `scripted`. */
  readonly provider?: string | undefined;
  /** Name of the model in the responses. Default: the model of the request. */
  readonly model?: string | undefined;
  /** Maximum length of a streamed delta, in characters. Default: 8. */
  readonly chunkSize?: number | undefined;
  /**
   * How the client chooses the script step for a model call: by the number of earlier `calls`, or by the number of
   * responses in the `conversation`. With `conversation`, resumed runs with a new client, and concurrent runs with the
   * same client, get the same responses and ids as a single run. Default: `calls`.
   */
  readonly follows?: "calls" | "conversation" | undefined;
}

/**
 * A model client that responds from a script. Contract: each call uses one step of the script; a call after the last
 * step throws.
 */
export interface ScriptedClient extends Client {
  /** Copies of all requests so far. */
  readonly requests: readonly ModelRequest[];
  /** Number of remaining steps. */
  readonly remaining: number;
  /** True if `close` was called. */
  readonly closed: boolean;
}

function finishReasonOf({ finishReason, parts }: AnswerStep): FinishReason {
  if (finishReason !== undefined) return finishReason;
  return { unified: parts.some((part) => part.type === "tool_call") ? "tool_calls" : "stop" };
}

/** Estimates usage at about four characters per token. */
function usageOf(request: ModelRequest, parts: readonly Part[]): Usage {
  const characters = request.messages.reduce((sum, message) => sum + JSON.stringify(message.parts).length, 0);
  const inputTokens = Math.ceil(characters / 4);
  const outputTokens = Math.ceil((textOf({ parts }).length + JSON.stringify(parts).length) / 8);
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

/**
 * Copies a request, because the caller changes the request's message history later. Signals and functions are not
 * copied.
 */
function recordOf(request: ModelRequest): ModelRequest {
  return {
    ...request,
    messages: structuredClone(request.messages),
    tools: request.tools === undefined ? undefined : structuredClone(request.tools),
  };
}

/** Returns the number of model responses in a conversation. */
function answersIn({ messages }: ModelRequest): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** Returns the number of tool calls in a conversation. */
function callsIn({ messages }: ModelRequest): number {
  return messages.flatMap(({ parts }) => parts).filter(({ type }) => type === "tool_call").length;
}

function exhausted(played: number): EngineError {
  const problem = `the script of the client has ${played} steps and was asked for one more; add a step to the test`;
  return new EngineError("internal.unexpected", { problem });
}

function cancelled(signal: AbortSignal): unknown {
  return signal.reason instanceof Error ? signal.reason : new EngineError("run.cancelled");
}

class Script implements ScriptedClient {
  readonly requests: ModelRequest[] = [];
  readonly #steps: readonly ScriptStep[];
  readonly #options: ScriptedClientOptions;
  #callCount = 0;
  #played = 0;
  #closed = false;

  constructor(steps: readonly ScriptStep[], options: ScriptedClientOptions) {
    this.#steps = [...steps];
    this.#options = options;
  }

  get remaining(): number {
    return Math.max(0, this.#steps.length - this.#played);
  }

  get closed(): boolean {
    return this.#closed;
  }

  async complete(request: ModelRequest): Promise<ModelResponse> {
    const { step, number } = this.#next(request);
    if (request.signal?.aborted) throw cancelled(request.signal);
    if (step.kind === "failure") throw step.error;
    return this.#respond(request, step, number);
  }

  async *stream(request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
    const { step, number } = this.#next(request);
    const answer = step.kind === "answer" ? step : step.after;
    if (answer !== undefined) {
      const response = this.#respond(request, answer, number);
      for (const event of toStreamEvents(response, this.#options.chunkSize ?? 8)) {
        if (request.signal?.aborted) throw cancelled(request.signal);
        if (event.type === "finish" && step.kind === "failure") break;
        yield event;
      }
    }
    if (request.signal?.aborted) throw cancelled(request.signal);
    if (step.kind === "failure") throw step.error;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** Returns the next step of the script for a call of the model, and the 1-based number of this call. */
  #next(request: ModelRequest): { step: AnswerStep | FailureStep; number: number } {
    const isKeyed = this.#options.follows === "conversation";
    const index = isKeyed ? answersIn(request) : this.requests.length;
    this.requests.push(recordOf(request));
    this.#played = index + 1;
    const step = this.#steps[index];
    if (step === undefined) throw exhausted(this.#steps.length);
    if (isKeyed) this.#callCount = callsIn(request);
    return { step: typeof step === "function" ? step(request) : step, number: index + 1 };
  }

  #respond(request: ModelRequest, step: AnswerStep, number: number): ModelResponse {
    const provider = this.#options.provider ?? "scripted";
    const model = this.#options.model ?? request.model;
    const parts = step.parts.map((part) => {
      if (part.type !== "tool_call" || part.id !== "") return part;
      this.#callCount += 1;
      return { ...part, id: `call_${this.#callCount}` };
    });
    return {
      id: `response_${number}`,
      model,
      provider,
      message: { role: "assistant", parts, origin: { provider, model } },
      finishReason: finishReasonOf(step),
      usage: step.usage ?? usageOf(request, parts),
      warnings: [],
    };
  }
}

/**
 * Creates a client that responds from a script, complete or streamed. The client uses no network, records all requests,
 * and throws if it is called after the last step.
 */
export function scriptedClient(steps: readonly ScriptStep[], options: ScriptedClientOptions = {}): ScriptedClient {
  return new Script(steps, options);
}
