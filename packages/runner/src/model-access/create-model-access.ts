import { EngineError, type ModelRoute } from "@switchyard/contracts";
import type { ModelAccessRequest, OpenModelAccess } from "@switchyard/engine";
import { connectRun } from "./connect-run.ts";
import { GATEWAYS } from "./gateway-pool.ts";
import { type ModelSources, openUpstreams, providerOf, type UpstreamsOfHost } from "./upstreams-of-host.ts";
import { VENDOR_APIS } from "./vendor-apis.ts";

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
  /**
   * Resolves with a sentence, without a full stop, for each fallback model that a run cannot use. `route`: destination
   * of the engine's model calls. Rejects with `credentials.*` and `config.invalid`.
   */
  fallbackProblems(route?: ModelRoute): Promise<readonly string[]>;
}

/**
 * Creates the connection of engines to models through a gateway. API keys and base URLs come from the same places as
 * those of the built-in agent, and never enter the environment of an engine. Each run looks up the keys again, so it
 * uses a key that was added or replaced in the meantime. All runs of this process with the same keys share one gateway,
 * which is open while at least one of these runs uses it. The gateway measures the usage of each run, enforces the
 * run's budget, and reports refused requests as events of the run.
 */
export function createModelAccess(sources: ModelSources): HostModelAccess {
  const { fallbackModels = [] } = sources;
  return {
    providers: async (provider) => namesIn(await openUpstreams(sources), provider ?? sources.provider),
    async fallbackProblems(route) {
      if (fallbackModels.length === 0) return [];
      const { upstreams } = await openUpstreams(sources);
      return fallbackModels.flatMap((model) => fallbackProblem(model, upstreams, route) ?? []);
    },
    async open(request) {
      const { route } = request;
      if (route?.directReason !== undefined) return undefined;
      const { upstreams, proxy } = await openUpstreams(sources);
      const names = namesIn({ upstreams, proxy }, route?.provider ?? sources.provider);
      if (names.length === 0) return undefined;
      const { prices, limits, retry, now } = sources;
      const lease = await GATEWAYS.acquire({ upstreams, proxy, prices, limits, retry, now });
      try {
        const models = allowedModelsOf(names, request, sources.allowedModels);
        const usable = fallbackModels.filter((model) => fallbackProblem(model, upstreams, route) === undefined);
        const fallbacks = { "*": usable };
        return (await connectRun(lease, request, { models, fallbacks })).access;
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

/** Returns the models that a run may call. Throws `config.invalid` if the host allows no model of the providers. */
function allowedModelsOf(
  providers: readonly string[],
  { model }: ModelAccessRequest,
  allowed: readonly string[] | undefined,
): readonly string[] {
  const isOffered = (reference: string): boolean => providers.some((name) => reference.startsWith(`${name}/`));
  if (allowed !== undefined) {
    const offered = allowed.filter(isOffered);
    if (offered.length > 0) return offered;
    const problem = `none of them is a model of ${providers.join(" or ")}`;
    throw new EngineError("config.invalid", { field: "allowedModels", problem });
  }
  if (model !== undefined && isOffered(model)) return [model];
  if (model !== undefined && !model.includes("/")) return providers.map((name) => `${name}/${model}`);
  return providers.map((name) => `${name}/*`);
}

/** Returns why a fallback model cannot be used. `undefined` if it can. */
function fallbackProblem(
  model: string,
  upstreams: UpstreamsOfHost["upstreams"],
  { apis = [] }: Partial<ModelRoute> = {},
): string | undefined {
  const provider = providerOf(model);
  const upstream = Object.hasOwn(upstreams, provider) ? upstreams[provider] : undefined;
  const start = `the fallback model ${model} will not be used, because`;
  if (upstream === undefined) return `${start} there is no API key of ${provider}`;
  const offered = upstream.apis ?? VENDOR_APIS[provider] ?? [];
  const isOffered = apis.length === 0 || apis.some((api) => offered.includes(api));
  return isOffered ? undefined : `${start} ${provider} offers none of the model APIs that the engine uses`;
}
