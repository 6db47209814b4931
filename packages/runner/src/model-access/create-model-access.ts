import {
  DEPENDENCY,
  EngineError,
  isModelBudgetSource,
  isSecretSink,
  isSharedModelBudget,
  type RemainingModelBudget,
  type Run,
  type SharedModelBudget,
} from "@switchyard/contracts";
import { getDependency, type ModelAccess, type ModelAccessRequest, type OpenModelAccess } from "@switchyard/engine";
import { createAccessReporter } from "./access-reporter.ts";
import { GATEWAYS, type GatewayLease } from "./gateway-pool.ts";
import { type ModelSources, openUpstreams, type UpstreamsOfHost } from "./upstreams-of-host.ts";

/** Connects engines to models through a gateway in this process. */
export interface HostModelAccess {
  /**
   * Opens the gateway for a run. Resolves with `undefined` if the host has no API key for the run's provider, or if the
   * engine's model calls cannot be redirected. Rejects with `gateway.unreachable` if processes in the run's environment
   * cannot reach this process.
   */
  readonly open: OpenModelAccess;
  /**
   * Resolves with the providers for which the host has a connection: all, or the given one. Empty if there is none.
   * Rejects with `credentials.*` and `config.invalid`.
   */
  providers(provider?: string): Promise<readonly string[]>;
}

/**
 * Creates the connection of engines to models through a gateway. API keys and base URLs come from the same places as
 * those of the built-in agent, and never enter the environment of an engine. Each run looks up the keys again, so it
 * uses a key that was added or replaced in the meantime. All runs of this process with the same keys share one gateway,
 * which is open while at least one of these runs uses it. The gateway measures the usage of each run, enforces the
 * run's budget, and reports refused requests as events of the run.
 */
export function createModelAccess(sources: ModelSources): HostModelAccess {
  return {
    providers: async (provider) => namesIn(await openUpstreams(sources), provider ?? sources.provider),
    async open(request) {
      const { route } = request;
      if (route?.directReason !== undefined) return undefined;
      const { upstreams, proxy } = await openUpstreams(sources);
      const names = namesIn({ upstreams, proxy }, route?.provider ?? sources.provider);
      if (names.length === 0) return undefined;
      const lease = await GATEWAYS.acquire({ upstreams, proxy, now: sources.now });
      try {
        return await openAccess(lease, names, request);
      } catch (error) {
        await lease.release();
        throw error;
      }
    },
  };
}

/** Returns the names of the providers to which the host can connect: all, or the given one. */
function namesIn({ upstreams }: UpstreamsOfHost, provider: string | undefined): readonly string[] {
  const names = Object.keys(upstreams);
  return provider === undefined ? names : names.filter((name) => name === provider);
}

/**
 * Opens the gateway for a run, limited to the given providers. Rejects with `gateway.unreachable` if the run's
 * environment cannot reach the gateway. The run must not start then: without the gateway, the engine would call models
 * with the real API key.
 */
async function openAccess(
  { gateway, release }: GatewayLease,
  providers: readonly string[],
  { run, host, environment }: ModelAccessRequest,
): Promise<ModelAccess> {
  const budget = budgetOf(run);
  const sharedBudget = sharedBudgetOf(run);
  const reporter = createAccessReporter({ run, host, budget, sharedBudget });
  const models = providers.map((provider) => `${provider}/*`);
  const options = { runId: run.id, environment, models, budget, sharedBudget, onEvent: reporter.handle };
  const opened = await gateway.openRun(options).catch((cause: unknown) => {
    if (!EngineError.is(cause, "environment.unavailable")) throw cause;
    const { environment: name, problem } = cause.details;
    throw new EngineError("gateway.unreachable", { environment: name, problem }, { cause });
  });
  if (run.deps.has(DEPENDENCY.secretSink)) {
    getDependency(run.deps, DEPENDENCY.secretSink, isSecretSink).add(opened.token.reveal());
  }
  const close = async (): Promise<void> => {
    await opened.close().finally(release);
    await reporter.settled();
  };
  // Cancellation closes the run's connection, because a cancelled engine may never end its work.
  const cancel = (): void => void close().catch(() => undefined);
  if (run.signal.aborted) cancel();
  else run.signal.addEventListener("abort", cancel, { once: true });
  return {
    ...{ baseUrl: opened.baseUrl, token: opened.token, measuresUsage: true, signal: reporter.signal },
    measuredUsage: reporter.measuredUsage,
    close: async () => {
      run.signal.removeEventListener("abort", cancel);
      await close();
    },
  };
}

function budgetOf({ deps }: Run): RemainingModelBudget | undefined {
  if (!deps.has(DEPENDENCY.modelBudget)) return undefined;
  return getDependency(deps, DEPENDENCY.modelBudget, isModelBudgetSource).remaining();
}

function sharedBudgetOf({ deps }: Run): SharedModelBudget | undefined {
  if (!deps.has(DEPENDENCY.sharedBudget)) return undefined;
  return getDependency(deps, DEPENDENCY.sharedBudget, isSharedModelBudget);
}
