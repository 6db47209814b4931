import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { EgressDecision } from "@switchyard/gateway/egress";
import { hostVariablesOf } from "./host-variables.ts";
import { createRequestFilter, type NetworkRequest } from "./request-filter.ts";

/** Source of the decisions about network requests of an environment that may connect only to listed hosts. */
export interface NetworkRequests {
  /** Sets the listener, which receives earlier decisions first. */
  listen(listener: (request: NetworkRequest) => void): void;
}

/** An opened environment, and the network requests that its proxy allows or refuses. */
export interface ConfiguredEnvironment {
  /** The environment. If it has a proxy, disposing the environment closes the proxy. */
  readonly environment: ExecutionEnvironment;
  /** Decisions of the environment's proxy. `undefined` if it has none. */
  readonly requests: NetworkRequests | undefined;
}

/** Stores the decisions that are made until a listener is set, as far as they would be reported. */
function keepRequests(): NetworkRequests & { readonly receive: (request: NetworkRequest) => void } {
  const filter = createRequestFilter();
  const kept: NetworkRequest[] = [];
  let isFull = false;
  let listener: ((request: NetworkRequest) => void) | undefined;
  return {
    receive(request) {
      if (listener !== undefined) return listener(request);
      const result = filter(request);
      // The first decision over the limit is kept, so that the listener learns that there were more.
      if (result === "report" || (result === "over_limit" && !isFull)) kept.push(request);
      if (result === "over_limit") isFull = true;
    },
    listen(next) {
      listener = next;
      for (const request of kept.splice(0)) next(request);
    },
  };
}

/**
 * Opens the environment that a configuration describes. If the environment may connect only to a list of hosts, it is
 * opened with a proxy that enforces the list. Otherwise, it is opened with `open`. `onRequest` receives each decision
 * of the proxy, in addition to the listener. If this machine connects through a proxy (`HTTPS_PROXY`), the environment
 * does too. Rejects with the errors of `open`, and with `config.invalid` for an invalid list or proxy.
 */
export async function openConfiguredEnvironment(
  config: EnvironmentConfig,
  open: (config: EnvironmentConfig) => Promise<ExecutionEnvironment>,
  onRequest?: (request: NetworkRequest) => void,
): Promise<ConfiguredEnvironment> {
  const hasList = "network" in config && config.network?.startsWith("list:") === true;
  if (!hasList) return { environment: await open(config), requests: undefined };
  const [{ openListedEnvironment }, { proxyFrom }] = await Promise.all([
    import("@switchyard/gateway/egress"),
    import("@switchyard/llm"),
  ]);
  const requests = keepRequests();
  const receive = ({ type: _, ...request }: EgressDecision): void => {
    onRequest?.(request);
    requests.receive(request);
  };
  const hostProxy = proxyFrom(hostVariablesOf(config));
  const environment = await openListedEnvironment(config, receive, { hostProxy });
  return { environment, requests };
}
