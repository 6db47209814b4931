import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { EngineError } from "@switchyard/contracts";
import type { AnswerStep } from "../model/script-step.ts";
import { composeResponse } from "./compose-response.ts";
import { callKey, callsOf } from "./conversation-progress.ts";
import type { FaultPlan, PlannedResponse } from "./hostile-fault.ts";
import { type ModelApi, modelApiOf } from "./model-api.ts";
import { type HostileModelLedger, type HostileModelRequest, ledgerOf, type RequestEntry } from "./model-request-log.ts";
import { objectOf, parsedJson } from "./plain-json.ts";
import { planFaults } from "./plan-faults.ts";
import { modelRequestProblems } from "./request-problems.ts";
import { sendResponse, sendStatus } from "./send-response.ts";
import { type SentBytes, sentBytes } from "./sent-bytes.ts";
import { wireError, wireFrames } from "./wire-response.ts";

/** Options of {@link openHostileModelServer}. */
export interface HostileModelServerOptions {
  /**
   * Script of the model, one step per turn. Like a real model server, the server is stateless: it determines the turn
   * from the tool calls in a request. Each step but the last must therefore call a tool with unique arguments.
   */
  readonly script: readonly AnswerStep[];
  /** Seed of the faults. Default: 1. */
  readonly seed?: number | undefined;
  /** Planned behaviour. Default: `planFaults` with the seed and the number of turns. */
  readonly plan?: FaultPlan | undefined;
  /** Function that waits between the chunks of a response with pauses. Default: a timer. */
  readonly delay?: ((delayMs: number) => Promise<void>) | undefined;
  /** Returns the time in milliseconds, for `Retry-After` dates. Default: the system time. */
  readonly now?: (() => number) | undefined;
  /** Called when a request was read and has no response yet. */
  readonly onRequest?: ((request: HostileModelRequest) => void) | undefined;
  /**
   * Called when the server has stalled, with a signal that aborts when the client closes the connection. A test can
   * then advance the client's clock instead of waiting.
   */
  readonly onStall?: ((clientGone: AbortSignal) => void) | undefined;
}

/**
 * A model server for tests that produces faults of real servers according to a plan. It offers four APIs on the
 * loopback interface.
 */
export interface HostileModelServer extends AsyncDisposable {
  /** Address: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Planned behaviour. */
  readonly plan: FaultPlan;
  /** Returns the base URL of one of the server's APIs. */
  baseUrl(api: ModelApi): string;
  /** Returns everything received and sent so far. */
  ledger(): HostileModelLedger;
  /** Closes the server and all connections to it. */
  close(): Promise<void>;
}

const PAUSE_MS = 5;

function waitFor(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}

/**
 * Returns, for each script step, the keys that identify its tool calls. Throws if two steps have the same tool calls,
 * so that the turn could not be determined.
 */
function keysOf(script: readonly AnswerStep[]): readonly (readonly string[])[] {
  const seen = new Set<string>();
  return script.map(({ parts }, index) => {
    const keys = parts.flatMap((part) => (part.type === "tool_call" ? [callKey(part.name, part.arguments)] : []));
    const isLast = index === script.length - 1;
    if ((keys.length === 0) !== isLast || keys.some((key) => seen.has(key))) {
      const problem = `step ${index + 1} must ${isLast ? "end the script without a tool call" : "call a tool with unique arguments"}`;
      throw new EngineError("config.invalid", { field: "script", problem });
    }
    for (const key of keys) seen.add(key);
    return keys;
  });
}

class HostileServer implements HostileModelServer {
  readonly plan: FaultPlan;
  readonly #options: HostileModelServerOptions;
  readonly #keys: readonly (readonly string[])[];
  readonly #server: Server;
  readonly #entries: RequestEntry[] = [];
  /** Texts of responses that no client may treat as complete, each with the number of its response. */
  readonly #partial = new Map<string, number>();

  constructor(options: HostileModelServerOptions) {
    const { script, seed = 1, plan } = options;
    this.#options = options;
    this.#keys = keysOf(script);
    this.plan = plan ?? planFaults({ seed, turns: script.length });
    this.#server = createServer((request, response) => {
      // Errors of the connection are ignored. A client that disconnects is recorded as an outcome.
      response.on("error", () => undefined);
      void this.#handle(request, response).catch(() => response.destroy());
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  baseUrl(api: ModelApi): string {
    return `${this.url}/${api === "gemini" ? "v1beta" : "v1"}`;
  }

  ledger(): HostileModelLedger {
    return ledgerOf(this.#entries);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const api = modelApiOf(path);
    const text = await bodyOf(request);
    if (api === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = parsedJson(text);
    const isStreamed = api === "gemini" ? path.includes(":stream") : objectOf(body)["stream"] === true;
    const { entry, planned } = this.#record({ api, isStreamed, body, text });
    response.on("close", () => {
      if (entry.outcome === "open") entry.outcome = "left";
    });
    this.#options.onRequest?.({ ...entry });
    await this.#answer(response, entry, planned);
  }

  #record(request: { api: ModelApi; isStreamed: boolean; body: unknown; text: string }): {
    entry: RequestEntry;
    planned: PlannedResponse;
  } {
    const { api, isStreamed, body, text } = request;
    const callIds = callsOf(api, body);
    const turn = this.#keys.findLastIndex((keys) => keys.length > 0 && keys.every((key) => callIds.has(key))) + 2;
    const attempt = this.#entries.filter((entry) => entry.turn === turn).length + 1;
    const responses = this.plan.turns[turn - 1] ?? [];
    const planned = responses[Math.min(attempt, responses.length) - 1] ?? { oddities: [], seed: 0 };
    const problems = [...modelRequestProblems(api, body), ...this.#partsIn(text)];
    const { fault, oddities } = planned;
    const number = this.#entries.length + 1;
    const entry: RequestEntry = {
      ...{ number, api, isStreamed, body, problems, turn, attempt, fault, oddities },
      ...{ outcome: "open", isTurn: false, usage: undefined, usages: [], isUsageCertain: true },
    };
    this.#entries.push(entry);
    return { entry, planned };
  }

  #partsIn(text: string): readonly string[] {
    const marks = [...this.#partial].filter(([mark]) => text.includes(mark));
    return marks.map(([, number]) => `it repeats a part of response ${number}, which was never complete`);
  }

  async #answer(response: ServerResponse, entry: RequestEntry, planned: PlannedResponse): Promise<void> {
    const { api, isStreamed, turn, number, fault } = entry;
    const step = this.#options.script[turn - 1];
    const nowMs = (this.#options.now ?? Date.now)();
    const refusal =
      entry.problems.length > 0 || step === undefined
        ? ({ kind: "status", status: 400 } as const)
        : fault?.kind === "status"
          ? fault
          : undefined;
    if (refusal !== undefined || step === undefined) {
      const status = refusal ?? { kind: "status", status: 400 };
      const message = entry.problems.join("; ") || "The request was refused.";
      entry.outcome = "refused";
      sendStatus(response, status, { body: wireError(api, status.status, message), nowMs });
      return;
    }
    const id = `resp_${number}`;
    const usage = { inputTokens: 100 + number, outputTokens: 7 + (number % 13) };
    const { content, isTurn } = composeResponse(step, planned, { api, id, model: "hostile", usage });
    const sent = sentBytes(wireFrames(api, content, isStreamed), planned, { api, isStreamed });
    const isBroken = isIncomplete(planned, sent.isComplete);
    // The outcome is recorded before sending.
    // The client's next request may arrive before the write of the last chunk has completed.
    this.#note(entry, { sent, isBroken, isTurn });
    await sendResponse(response, { sent, fault, isStreamed, pause: this.#pauseOf(planned), onStall: this.#onStall });
  }

  readonly #onStall = (clientGone: AbortSignal): void => this.#options.onStall?.(clientGone);

  #pauseOf({ oddities }: PlannedResponse): (() => Promise<void>) | undefined {
    const delay = this.#options.delay ?? waitFor;
    return oddities.includes("pauses") ? () => delay(PAUSE_MS) : undefined;
  }

  #note(
    entry: RequestEntry,
    outcome: { sent: Pick<SentBytes, "usages" | "hasContent">; isBroken: boolean; isTurn: boolean },
  ): void {
    const { sent, isBroken, isTurn } = outcome;
    const { fault, number, oddities } = entry;
    const sentNothing = (fault?.kind === "break" || fault?.kind === "stall") && /request|headers/.test(fault.at);
    entry.usages = sentNothing ? [] : sent.usages;
    entry.usage = entry.usages.at(-1);
    entry.isUsageCertain = fault?.kind !== "stall" && !(fault?.kind === "break" && fault.isReset);
    entry.isTurn = isTurn && !isBroken;
    entry.outcome = isBroken ? "broken" : "complete";
    if (!isBroken || (sent.hasContent && !sentNothing)) return;
    this.#partial.set(`[resp_${number}]`, number);
    if (!oddities.includes("repeated_ids")) this.#partial.set(`"resp_${number}_call_`, number);
  }
}

/** Returns whether a client must not treat the sent data as a complete response. */
function isIncomplete({ fault }: PlannedResponse, isComplete: boolean): boolean {
  if (fault === undefined) return false;
  return !isComplete || ["break", "stall", "malformed", "error_event", "unfinished"].includes(fault.kind);
}

/**
 * Opens a model server on the loopback interface with OpenAI's Chat Completions and Responses APIs, Anthropic's
 * Messages API and Gemini's, streamed and complete. It plays a script with seeded faults: statuses, connections that
 * break or stall at any byte, malformed, incomplete and empty responses, and unusual but valid ones. Throws
 * `config.invalid` for a script whose steps cannot be distinguished.
 */
export async function openHostileModelServer(options: HostileModelServerOptions): Promise<HostileModelServer> {
  return await new HostileServer(options).listen();
}
