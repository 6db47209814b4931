import { EngineError, type ModelApi } from "@switchyard/contracts";
import type { Upstream } from "../upstream/upstreams.ts";

/** A provider and one of its models. */
export interface Target {
  readonly upstream: Upstream;
  readonly model: string | undefined;
}

interface Pattern {
  readonly provider: string | undefined;
  readonly model: string;
}

function matches(pattern: Pattern, upstream: Upstream, model: string): boolean {
  if (pattern.provider !== undefined && pattern.provider !== upstream.name) return false;
  return pattern.model.endsWith("*") ? model.startsWith(pattern.model.slice(0, -1)) : model === pattern.model;
}

/** Decides which models a run may use, and which provider gets a request. */
export interface AllowedModels {
  /** Returns whether a provider that the run may use offers an API. */
  offers(api: ModelApi): boolean;
  /** Returns the target of a request. A request without a model goes to the first provider that the run may use. Throws `gateway.model_refused` or `gateway.no_upstream`. */
  targetOf(api: ModelApi, model: string | undefined): Target;
  /**
   * Returns the target of a fallback, which need not be one of the models that the run may use. `undefined` if no
   * provider offers the API.
   */
  fallbackOf(api: ModelApi, reference: string): Target | undefined;
}

/** Returns the rule that decides which models a run may use. If `models` is `undefined`, it allows all models. */
export function createAllowedModels(
  models: readonly string[] | undefined,
  upstreams: readonly Upstream[],
): AllowedModels {
  const toPattern = (reference: string): Pattern => {
    const provider = upstreams.find(({ name }) => reference.startsWith(`${name}/`))?.name;
    return { provider, model: provider === undefined ? reference : reference.slice(provider.length + 1) };
  };
  const patterns = models?.map(toPattern);
  const offering = (api: ModelApi): readonly Upstream[] => upstreams.filter(({ apis }) => apis.includes(api));
  const mayUse = ({ name }: Upstream): boolean =>
    patterns === undefined || patterns.some(({ provider }) => provider === undefined || provider === name);
  return {
    offers: (api) => offering(api).some(mayUse),
    targetOf(api, model) {
      const offers = offering(api);
      const first = offers.find(mayUse);
      if (first === undefined) throw new EngineError("gateway.no_upstream", { model: model ?? "(any)", api });
      if (model === undefined) return { upstream: first, model };
      const isAllowed = (upstream: Upstream): boolean =>
        patterns === undefined || patterns.some((pattern) => matches(pattern, upstream, model));
      const upstream = offers.find(isAllowed);
      if (upstream === undefined) throw new EngineError("gateway.model_refused", { model, allowed: models ?? [] });
      return { upstream, model };
    },
    fallbackOf(api, reference) {
      const { provider, model } = toPattern(reference);
      const upstream = offering(api).find(({ name }) => provider === undefined || provider === name);
      return upstream === undefined ? undefined : { upstream, model };
    },
  };
}
