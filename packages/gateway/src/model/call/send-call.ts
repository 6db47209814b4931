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
/** HTTP statuses of failures that another model may not have: a rejected key, a used quota, an unknown model. */
const OF_MODEL: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);
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
      ...{ provider: call.target.upstream.name, model: call.target.model, problem: problemOf(failure.error) },
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

/** Returns the model of a call and its fallbacks, in order. */
function targetsOf({ run, start, target }: ModelCall): readonly Target[] {
  const { fallbacks = {} } = run.options;
  if (target.model === undefined) return [target];
  const references = (Object.hasOwn(fallbacks, target.model) ? fallbacks[target.model] : fallbacks["*"]) ?? [];
  return [target, ...references.flatMap((reference) => run.models.fallbackOf(start.endpoint.api, reference) ?? [])];
}

/**
 * Sends a call to its provider, with retries, and to the fallbacks of its model. Resolves when the response was
 * forwarded, or with the failure to report to the engine. After the first forwarded byte nothing is repeated.
 */
export async function sendCall(call: ModelCall): Promise<CallResult> {
  const { run, start } = call;
  const targets = targetsOf(call);
  const key = `${start.endpoint.api} ${call.target.model}`;
  let index = run.replaced.get(key) ?? 0;
  const inUse = targets[index];
  if (index > 0 && inUse !== undefined && call.canUse(inUse)) call.useTarget(inUse);
  for (;;) {
    const sent = await sendWithRetries(call);
    if (!("isTransient" in sent)) return sent;
    const isOfModel = sent.isTransient || (sent.result.kind === "status" && OF_MODEL.has(sent.result.status));
    if (!isOfModel || call.signal.aborted) return sent.result;
    const failed = index;
    index = targets.findIndex((target, at) => at > failed && call.canUse(target));
    const next = targets[index];
    if (next === undefined) {
      // All models failed, so the next call begins with the first one again.
      run.replaced.delete(key);
      return sent.result;
    }
    run.replaced.set(key, index);
    run.emit({
      ...{ type: "model_fallback_used", runId: run.runId, request: start.request, problem: problemOf(sent.error) },
      ...{ provider: call.target.upstream.name, from: nameOf(call.target), to: nameOf(next) },
    });
    call.useTarget(next);
  }
}

function nameOf({ upstream, model }: Target): string {
  return `${upstream.name}/${model}`;
}

/** Returns what failed, without the name of the provider if the error has it as a detail. */
function problemOf({ details, message }: EngineError): string {
  return typeof details["problem"] === "string" ? details["problem"] : message;
}
