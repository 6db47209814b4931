import type { FullRetryPolicy, RetryOptions } from "@switchyard/contracts";
import type { CostOptions } from "@switchyard/llm/usage";
import type { Masker } from "@switchyard/secrets";
import type { Dispatcher } from "undici";
import type { ModelGatewayEvent } from "../gateway-event.ts";
import type { ModelGatewayLimits } from "../gateway-limits.ts";
import type { RunRegistry } from "../run/run-registry.ts";
import type { Upstream } from "../upstream/upstreams.ts";

/** Parts that all runs of a gateway share. */
export interface GatewayContext {
  readonly upstreams: readonly Upstream[];
  readonly limits: ModelGatewayLimits;
  readonly retry: RetryOptions;
  readonly retryPolicy: FullRetryPolicy;
  readonly pricing: CostOptions & { readonly now: () => number };
  readonly registry: RunRegistry;
  /** Masks API keys, tokens, and the secrets that the host knows. */
  readonly masker: Pick<Masker, "mask">;
  /** Masks API keys and tokens only. */
  readonly keys: Masker;
  /** Returns whether a text contains an API key. */
  readonly hasKey: (text: string) => boolean;
  /** Returns the connections to providers. */
  readonly dispatcher: () => Promise<Dispatcher>;
  /** Emits an event to the host. */
  readonly emit: (event: ModelGatewayEvent) => void;
}
