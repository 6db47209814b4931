import {
  addUsage,
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  messageOf,
  textMessage,
  textOf,
  toEngineError,
  type Usage,
} from "@switchyard/contracts";
import { CHARACTERS_PER_TOKEN } from "../conversation/conversation.ts";
import { hookedRequest, hookedResponse } from "../hooks/hook-model-call.ts";
import { checkContextUsage } from "../loop/check-context-usage.ts";
import { warnOfUnknownCost } from "../loop/limit-reached.ts";
import { normalizeUsage } from "../loop/normalize-usage.ts";
import { usageOf } from "../loop/record-response.ts";
import { callExtension } from "../session/call-extension.ts";
import { rejectOnAbort } from "../session/reject-on-abort.ts";
import type { SessionCore } from "../session/session-core.ts";
import { countFailedAttempt, isTurnRetried } from "../turn-retry/retry-turn.ts";
import type {
  CompactionContext,
  CompactionPlan,
  CompactionReason,
  CompactionReport,
  CompactionRequest,
  CompactionStrategy,
  CompactionView,
} from "./compaction-strategy.ts";
import { createSummaryTurn } from "./summary-turn.ts";

/** Minimum growth of the conversation between two compaction attempts, as a share of the context window. */
const PAUSE_SHARE = 0.05;
/** Maximum length of a user input that the summary quotes, as a share of the context window. */
const INPUT_SHARE = 0.05;

function viewOf(core: SessionCore, reason: CompactionReason): CompactionView {
  const { conversation, profile } = core;
  return {
    reason,
    tokens: conversation.tokens,
    window: profile.contextWindowTokens,
    lastUsage: conversation.lastUsage,
    get turns() {
      return conversation.visibleTurns();
    },
  };
}

/** Runs the model calls of one compaction and sums their usage. */
class Asking implements CompactionContext {
  readonly signal: AbortSignal;
  readonly #core: SessionCore;
  usage: Usage | undefined;
  /** Error that the host threw from `reportUsage`. Ends the session. */
  refusal: { error: unknown } | undefined;

  constructor(core: SessionCore) {
    this.#core = core;
    this.signal = core.signal;
  }

  // An arrow property, so that strategies can destructure it from the context.
  readonly ask = async (request: CompactionRequest): Promise<string> => {
    const core = this.#core;
    const client = request.client ?? core.client;
    const hooked = await hookedRequest(core, this.#toModelRequest(request));
    const response = normalizeUsage(await this.#complete(client, hooked));
    const usage = usageOf(core, response);
    this.usage = this.usage === undefined ? usage : { ...addUsage(this.usage, usage), responseId: usage.responseId };
    core.emit("usage_reported", { response_id: usage.responseId, usage: response.usage });
    warnOfUnknownCost(core, response.usage.costMicros);
    for (const message of response.warnings) core.emit("warning", { message, kind: "model_call" });
    try {
      await core.reportUsage?.(usage);
    } catch (error) {
      this.refusal = { error };
      throw error;
    }
    return textOf((await hookedResponse(core, response)).message);
  };

  /**
   * Makes one model call of a compaction, with the same retries as a turn. Without compaction, the conversation may no
   * longer fit the context window.
   */
  async #complete(client: Client, request: ModelRequest): Promise<ModelResponse> {
    const core = this.#core;
    for (;;) {
      try {
        const response = await rejectOnAbort(client.complete(request), core.signal);
        core.turnRetries.succeed();
        return response;
      } catch (error) {
        await countFailedAttempt(core, error);
        if (!(await isTurnRetried(core, error))) throw error;
      }
    }
  }

  #toModelRequest({ instructions, text, ...request }: CompactionRequest): ModelRequest {
    const { signal, emitRetry, turnRetries } = this.#core;
    const { provider, model } = turnRetries.models.current;
    return {
      provider: request.provider ?? (request.client === undefined ? provider : undefined),
      model: request.model ?? model,
      messages: [textMessage("system", instructions), textMessage("user", text)],
      signal,
      onRetry: emitRetry,
      isRetried: turnRetries.isRetried,
    };
  }
}

function checkedPlan(plan: CompactionPlan): CompactionPlan {
  const { summary, keptTurns } = plan;
  if (summary.trim() === "") throw new EngineError("compaction.failed", { problem: "the summary is empty" });
  if (!Number.isSafeInteger(keptTurns) || keptTurns < 0) {
    throw new EngineError("compaction.failed", { problem: "it does not specify how many turns to keep" });
  }
  return plan;
}

function notifyCompaction(core: SessionCore, report: CompactionReport): void {
  const { reason, tokensBefore, tokensAfter, turnsBefore, turnsAfter } = report;
  const message = `The conversation was summarised: ~${tokensBefore} tokens before, ~${tokensAfter} now.`;
  const details = {
    reason,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    turns_before: turnsBefore,
    turns_after: turnsAfter,
  };
  core.emit("notification", { message, kind: "compaction", details });
}

interface Size {
  readonly tokens: number;
  readonly turns: number;
}

function sizeOf({ conversation }: SessionCore): Size {
  return {
    tokens: Math.round(conversation.characters / CHARACTERS_PER_TOKEN),
    turns: conversation.visibleTurns().length,
  };
}

/** Appends the summary. Throws `compaction.failed` if the conversation would not become shorter. */
function appendSummary(core: SessionCore, plan: CompactionPlan, usage: Usage | undefined): void {
  const { conversation, profile, events } = core;
  const maxInputCharacters = Math.floor(profile.contextWindowTokens * CHARACTERS_PER_TOKEN * INPUT_SHARE);
  const timestamp = events.timestamp();
  const turn = createSummaryTurn(conversation.turns, { plan, usage, timestamp, maxInputCharacters });
  if (!conversation.isShorterWith(turn)) {
    throw new EngineError("compaction.failed", {
      problem: "the summary is not shorter than the messages that it replaces",
    });
  }
  conversation.append(turn);
}

/** Outcome of a compaction attempt. */
export type CompactionOutcome =
  | { readonly kind: "compacted"; readonly report: CompactionReport }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly error: EngineError };

async function attempt(
  core: SessionCore,
  view: CompactionView,
  context: Asking,
): Promise<"compacted" | "unchanged" | { error: unknown }> {
  try {
    // A strategy that ignores the signal must not prevent the session from closing.
    const compacting = Promise.resolve(callExtension(core, () => core.compaction?.compact(view, context)));
    const plan = await rejectOnAbort(compacting, core.signal);
    if (plan === undefined) return "unchanged";
    appendSummary(core, checkedPlan(plan), context.usage);
    return "compacted";
  } catch (error) {
    return { error };
  }
}

function reportOf(reason: CompactionReason, before: Size, after: Size): CompactionReport {
  return {
    reason,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    turnsBefore: before.turns,
    turnsAfter: after.turns,
  };
}

/**
 * Compacts the conversation. If compaction fails, the conversation is unchanged. Rejects if the session is stopped
 * during compaction. Also rejects with any error that the host throws from `reportUsage`, which ends the session.
 */
export async function compactHistory(core: SessionCore, reason: CompactionReason): Promise<CompactionOutcome> {
  const before = sizeOf(core);
  const asking = new Asking(core);
  const result = await attempt(core, viewOf(core, reason), asking);
  if (result !== "compacted" && asking.usage !== undefined) core.conversation.addUsage(asking.usage);
  if (asking.refusal !== undefined) throw asking.refusal.error;
  if (typeof result === "object") {
    if (core.signal.aborted) throw result.error;
    return { kind: "failed", error: toEngineError(result.error) };
  }
  if (result === "unchanged") return { kind: "unchanged" };
  const report = reportOf(reason, before, sizeOf(core));
  notifyCompaction(core, report);
  checkContextUsage(core);
  // Requests a checkpoint that contains the summary, so that a resumed session does not have to generate it again.
  core.isBoundarySuggested = true;
  return { kind: "compacted", report };
}

/** Warns the host that compaction failed and the conversation is unchanged. */
function warn(core: SessionCore, error: EngineError): void {
  const message = `The conversation could not be summarised and continues in full: ${messageOf(error)}`;
  core.emit("warning", { message, kind: "compaction", details: error.toWire() });
}

/** Compacts the conversation and returns whether it did. A failure is reported to the host as a warning. */
async function isCompacted(core: SessionCore, reason: CompactionReason): Promise<boolean> {
  const outcome = await compactHistory(core, reason);
  if (outcome.kind === "failed") warn(core, outcome.error);
  return outcome.kind === "compacted";
}

/** Returns whether the strategy asks for a compaction. If the strategy throws, warns the host and returns false. */
function isDue(core: SessionCore, strategy: CompactionStrategy): boolean {
  try {
    return strategy.isDue(viewOf(core, "due"));
  } catch (error) {
    warn(core, toEngineError(error));
    core.compactAbove = core.conversation.tokens + core.profile.contextWindowTokens * PAUSE_SHARE;
    return false;
  }
}

/** Compacts the conversation before a model call if the strategy asks for it. */
export async function compactIfDue(core: SessionCore, strategy: CompactionStrategy): Promise<void> {
  if (core.conversation.tokens <= core.compactAbove || !isDue(core, strategy)) return;
  await isCompacted(core, "due");
  // Pauses further attempts whatever the outcome, so that they do not cost tokens at every call.
  core.compactAbove = core.conversation.tokens + core.profile.contextWindowTokens * PAUSE_SHARE;
}

/**
 * Handles a call that failed because the conversation was too long. Returns true if compaction made it shorter, so that
 * the call can be retried.
 */
export async function isOverflowResolved(core: SessionCore, error: unknown): Promise<boolean> {
  if (core.compaction === undefined || !EngineError.is(error, "llm.context_length")) return false;
  core.emit("warning", { message: error.message, kind: "context_length", details: error.toWire() });
  return isCompacted(core, "overflow");
}
