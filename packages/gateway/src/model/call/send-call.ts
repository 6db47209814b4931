import { EngineError, messageOf, retryDelayMs, waitForRetry } from "@switchyard/contracts";
import { retryAfterOf } from "@switchyard/llm/usage";
import type { Dispatcher } from "undici";
import type { Target } from "../run/allowed-models.ts";
import { type AttemptResult, ResponseForwarder } from "../upstream/response-forwarder.ts";
import type { ModelCall } from "./model-call.ts";

/**
 * HTTP statuses of temporary failures, after which the gateway retries a request. 408 is not included, because the
 * model client (`@switchyard/llm`) does not retry it either.
 */
const TRANSIENT: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 520, 522, 524, 529]);
const QUOTA = /insufficient_quota|credit balance|billing|PerDay/i;

/** A failed attempt to send a request, its error, and whether a retry may succeed. */
interface Failure {
  readonly result: Exclude<AttemptResult, { kind: "forwarded" } | { kind: "broken" }>;
  readonly error: EngineError;
  readonly isTransient: boolean;
}

function toFailure(result: Failure["result"], { target, run }: ModelCall): Failure {
  if (result.kind === "failed") return { result, error: result.error, isTransient: result.error.retryable };
  const { status, headers, body } = result;
  const retryAfterMs = retryAfterOf(headers, run.context.pricing.now());
  const details = { provider: target.upstream.name, problem: `it responded with HTTP ${status}.`, retryAfterMs };
  const isRefused = headers["x-should-retry"] === "false" || (status === 429 && QUOTA.test(body.toString("latin1")));
  const error = new EngineError("gateway.upstream_failed", details);
  return { result, error, isTransient: TRANSIENT.has(status) && !isRefused };
}

async function sendOnce(call: ModelCall, target: Target): Promise<AttemptResult> {
  const { run, start } = call;
  const { context } = run;
  const { endpoint, body, headers } = start;
  const { path, bytes } =
    target.model === undefined ? { path: endpoint.path, bytes: body.bytes } : body.withModel(target.model);
  const dispatcher = await context.dispatcher();
  const options: Dispatcher.DispatchOptions = {
    origin: target.upstream.origin,
    path: `${target.upstream.basePath}${path}${endpoint.query}`,
    method: bytes === undefined ? "GET" : "POST",
    headers: [...headers, ...target.upstream.headers(endpoint.api), "accept-encoding", "identity"],
    body: bytes ?? null,
  };
  return new Promise((resolve) => {
    const forwarder: ResponseForwarder = new ResponseForwarder({
      ...{ response: start.response, provider: target.upstream.name, limits: context.limits, hasKey: context.hasKey },
      ...{ onStart: call.begin, onChunk: call.add },
      onResult(result) {
        call.endAttempt(result);
        call.signal.removeEventListener("abort", abort);
        resolve(result);
      },
    });
    const abort = (): void => forwarder.stop(toAborted(call.signal.reason));
    call.signal.addEventListener("abort", abort, { once: true });
    if (call.signal.aborted) abort();
    else {
      call.beginAttempt(forwarder);
      dispatcher.dispatch(options, forwarder);
    }
  });
}

function toAborted(reason: unknown): EngineError {
  return EngineError.is(reason) ? reason : new EngineError("gateway.call_aborted", { problem: messageOf(reason) });
}

/** Sends a request to one provider until a response is forwarded or the retries are used up. */
async function sendWithRetries(call: ModelCall): Promise<Failure | AttemptResult> {
  const { retryPolicy, retry } = call.run.context;
  let waitedMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const result = await sendOnce(call, call.target);
    if (result.kind === "forwarded" || result.kind === "broken") return result;
    const failure = toFailure(result, call);
    const facts = { attempt, waitedMs, random: (retry.random ?? Math.random)() };
    const delayMs = failure.isTransient ? retryDelayMs(failure.error, facts, retryPolicy) : undefined;
    if (delayMs === undefined || call.signal.aborted) return failure;
    call.run.emit({
      ...{ type: "model_call_retried", runId: call.run.runId, request: call.start.request, attempt, delayMs },
      ...{ provider: call.target.upstream.name, model: call.target.model, problem: failure.error.message },
    });
    waitedMs += delayMs;
    const wait = retry.delay ?? waitForRetry;
    const isAborted = await wait(delayMs, call.signal).then(
      () => false,
      () => true,
    );
    if (isAborted) return { kind: "failed", error: toAborted(call.signal.reason) };
  }
}

/** Final result of a call. */
export type CallResult = AttemptResult;

/**
 * Sends a call to its provider, with retries, and to the fallbacks of its model. Resolves when the response was
 * forwarded, or with the failure to report to the engine. After the first forwarded byte nothing is repeated.
 */
export async function sendCall(call: ModelCall): Promise<CallResult> {
  const { run, start } = call;
  const requested = call.target.model;
  const references = requested === undefined ? [] : (run.options.fallbacks?.[requested] ?? []);
  const fallbacks = references.flatMap((reference) => run.models.fallbackOf(start.endpoint.api, reference) ?? []);
  const remaining = fallbacks.filter((target) => call.canUse(target));
  for (;;) {
    const sent = await sendWithRetries(call);
    if (!("isTransient" in sent)) return sent;
    const isGone = sent.result.kind === "status" && sent.result.status === 404;
    const next = sent.isTransient || isGone ? remaining.shift() : undefined;
    if (next === undefined || call.signal.aborted) return sent.result;
    run.emit({
      ...{ type: "model_fallback_used", runId: run.runId, request: start.request, problem: sent.error.message },
      ...{ from: call.target.model ?? "", to: next.model ?? "" },
    });
    call.useTarget(next);
  }
}
