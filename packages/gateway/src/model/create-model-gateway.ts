import { toRetryPolicy } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import type { Dispatcher } from "undici";
import type { GatewayContext } from "./call/gateway-context.ts";
import { GATEWAY_LIMITS } from "./gateway-limits.ts";
import type { GatewayRun, ModelGateway, ModelGatewayOptions } from "./gateway-options.ts";
import { createRunState, openRun } from "./run/open-run.ts";
import { createRunRegistry } from "./run/run-registry.ts";
import type { RunState } from "./run/run-state.ts";
import { openDispatcher } from "./upstream/open-dispatcher.ts";
import { openUpstreams } from "./upstream/upstreams.ts";

/** Maximum interval between two checks of the time limits, in milliseconds. */
const MAX_CHECK_MS = 1_000;

function createContext(options: ModelGatewayOptions, dispatcher: () => Promise<Dispatcher>): GatewayContext {
  const { upstreams, limits, retry = {}, masker, prices, listPrices, onEvent, now = Date.now } = options;
  const keys = Object.values(upstreams).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey]));
  const keyMasker = createMasker([], { keys });
  const values = keys.map((key) => key.reveal()).filter((value) => value !== "");
  return {
    upstreams: openUpstreams(upstreams),
    limits: { ...GATEWAY_LIMITS, ...limits },
    ...{ retry, retryPolicy: toRetryPolicy("call", retry) },
    pricing: { prices, listPrices, now },
    registry: createRunRegistry(),
    masker: { mask: (text) => keyMasker.mask(masker === undefined ? text : masker.mask(text)) },
    keys: keyMasker,
    hasKey: (text) => values.some((value) => text.includes(value)),
    dispatcher,
    emit: (event) => onEvent?.(event),
  };
}

/**
 * Creates a proxy between the engines of runs and model providers. Each run gets a token and an address of its own, so
 * that no API key enters the environment of an engine. The gateway forwards requests in Anthropic's Messages API,
 * OpenAI's Responses and Chat Completions APIs and the Gemini API, and measures, limits, records or replays them.
 * Throws `config.invalid`.
 */
export function createModelGateway(options: ModelGatewayOptions): ModelGateway {
  let opening: Promise<Dispatcher> | undefined;
  const context = createContext(options, () => {
    opening ??= openDispatcher(options.proxy);
    return opening;
  });
  const runs = new Map<RunState, GatewayRun>();
  const { upstreamTimeoutMs, clientTimeoutMs } = context.limits;
  const intervalMs = Math.max(1, Math.min(MAX_CHECK_MS, upstreamTimeoutMs / 4, clientTimeoutMs / 4));
  let checkedAt = 0;
  let checks: NodeJS.Timeout | undefined;
  // One timer for all calls, because a timer per chunk would cost more than forwarding the chunk.
  const check = (): void => {
    const now = performance.now();
    for (const run of runs.keys()) for (const work of run.active) work.check(now - checkedAt);
    checkedAt = now;
  };
  async function close(): Promise<void> {
    await Promise.all([...runs.values()].map((run) => run.close()));
    const dispatcher = await opening;
    opening = undefined;
    await dispatcher?.destroy();
  }
  return {
    async openRun(runOptions) {
      const state = createRunState(context, runOptions);
      const run = await openRun(state, () => {
        runs.delete(state);
        if (runs.size > 0) return;
        clearInterval(checks);
        checks = undefined;
      }).catch((error: unknown) => {
        context.registry.end(state.token);
        throw error;
      });
      runs.set(state, run);
      checkedAt = checks === undefined ? performance.now() : checkedAt;
      checks ??= setInterval(check, intervalMs).unref();
      return run;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
