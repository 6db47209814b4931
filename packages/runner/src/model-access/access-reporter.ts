import {
  addUsage,
  EngineError,
  type Envelope,
  type EventPayloads,
  type EventType,
  type Host,
  isEventType,
  NO_USAGE,
  type RemainingModelBudget,
  type Run,
  type SharedModelBudget,
  type Usage,
} from "@switchyard/contracts";
import { createEnvelope } from "@switchyard/engine";
import type { ModelCallEnded, ModelFallbackUsed, ModelGatewayEvent, ModelRequestRefused } from "@switchyard/gateway";

/**
 * Maximum number of events about a run's refused and failed requests. Limited, because an engine could send endless
 * requests. A warning reports that the limit is exceeded.
 */
const MAX_EVENTS = 1_000;

/** Run whose model calls are reported. */
interface ReportedRun {
  readonly run: Run;
  readonly host: Host;
  /** Budget that was left when the run was connected to the gateway. */
  readonly budget: RemainingModelBudget | undefined;
  /** Budget that the run shares with other runs. */
  readonly sharedBudget: SharedModelBudget | undefined;
}

/** Converts the events of the gateway to events and usage of a run. */
export interface AccessReporter {
  /** Receives an event of the gateway. Never throws. */
  readonly handle: (event: ModelGatewayEvent) => void;
  /** Aborts with `budget.exceeded` or `budget.day_exceeded` when a request was refused because the budget is used up. */
  readonly signal: AbortSignal;
  /** Returns the usage of all calls that have ended. */
  measuredUsage(): Usage;
  /** Resolves when the host has received all events. */
  settled(): Promise<void>;
}

/** Creates the reporter for one run's requests to the gateway. */
export function createAccessReporter({ run, host, budget = {}, sharedBudget }: ReportedRun): AccessReporter {
  const ended = new AbortController();
  let [count, calls] = [0, 0];
  let total: Usage = NO_USAGE;
  let queue: Promise<void> = Promise.resolve();

  function publish<T extends EventType>(type: T, payload: EventPayloads[T]): void {
    const marks = { runId: run.id, attempt: run.resume?.attempt ?? 1, now: Date.now, source: "gateway" };
    const envelope: { readonly type: EventType } = createEnvelope(type, payload, {
      ...marks,
      createId: () => crypto.randomUUID(),
    });
    if (isEnvelope(envelope)) enqueue(() => host.publish(envelope));
  }
  function enqueue(work: () => Promise<void>): void {
    // Errors are ignored: the host records failures itself, and rejects all events after the end of the run.
    queue = queue.then(work).catch(() => undefined);
  }
  function publishBounded<T extends EventType>(type: T, payload: EventPayloads[T]): void {
    count += 1;
    if (count <= MAX_EVENTS) publish(type, payload);
    if (count !== MAX_EVENTS + 1) return;
    const message = `Only the first ${MAX_EVENTS} refused or failed model requests are reported.`;
    publish("warning", { kind: "model_requests", message });
  }
  function handleEnd({ usage: measured, provider, model, status, error }: ModelCallEnded): void {
    if (error !== undefined) {
      const message = `A call of ${model ?? "the list of models"} at ${provider} ended with HTTP ${status} and the error ${error}.`;
      publishBounded("warning", { kind: "model_call_failed", message });
    }
    if (measured === undefined) return;
    // Usage with a known id is counted once. Some servers send the same id with every response.
    const usage = { ...measured, responseId: crypto.randomUUID() };
    calls += 1;
    total = addUsage(total, measured);
    publish("usage_reported", { response_id: usage.responseId, usage });
    enqueue(() => host.reportUsage(usage));
  }
  function handleRefusal({ request, error: code, problem: message, tokenOf }: ModelRequestRefused): void {
    publishBounded("model_request_refused", { request, code, message, is_foreign_token: tokenOf !== undefined });
    if (code === "gateway.budget_exceeded") ended.abort(exceededBudget(budget, { ...total, calls }));
    if (code === "gateway.shared_budget_exceeded") ended.abort(sharedBudget?.refusal());
  }
  return {
    signal: ended.signal,
    settled: () => queue,
    measuredUsage: () => total,
    handle(event) {
      if (event.type === "model_call_ended") handleEnd(event);
      if (event.type === "model_request_refused") handleRefusal(event);
      if (event.type === "model_fallback_used") {
        publishBounded("model_fallback", { from: event.from, to: event.to, error: upstreamError(event) });
      }
      if (event.type !== "model_call_retried") return;
      const { attempt, delayMs } = event;
      const error = upstreamError(event);
      publishBounded("model_call_retried", { attempt, delay_ms: delayMs, error, level: "call" });
    },
  };
}

function isEnvelope(envelope: { readonly type: EventType }): envelope is Envelope {
  return isEventType(envelope.type);
}

/** Returns the error of a request that the provider did not answer as required. */
function upstreamError({ provider, problem }: Pick<ModelFallbackUsed, "provider" | "problem">) {
  return new EngineError("gateway.upstream_failed", { provider, problem }).toWire();
}

/** Returns the error that names the limit of the budget which the run has used up. */
function exceededBudget(
  budget: RemainingModelBudget,
  { calls, totalTokens, costMicros = 0 }: Usage & { readonly calls: number },
): EngineError {
  const limits = [
    { name: "model calls", used: calls, limit: budget.calls },
    { name: "tokens", used: totalTokens, limit: budget.tokens },
    { name: "cost in millionths of a US dollar", used: costMicros, limit: budget.costMicros },
  ];
  const { name, used, limit } = limits.find((one) => one.limit !== undefined && one.used >= one.limit) ?? {
    ...{ name: "model calls", used: calls, limit: budget.calls ?? calls },
  };
  return new EngineError("budget.exceeded", { budget: name, used, limit });
}
