import type { EventPayloads, ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";

/**
 * Maximum number of proxy decisions that are stored until a listener is set. A decision states that a connection was
 * allowed, refused or failed. Later decisions are dropped.
 */
const MAX_KEPT = 100;

type NetworkRequest = EventPayloads["network_request_decided"];

/** Network requests of an environment that may connect only to a list of hosts. */
export interface NetworkRequests {
  /** Sets the listener, which receives earlier decisions first. */
  listen(listener: (request: NetworkRequest) => void): void;
}

/** An opened environment, and the network requests that its proxy allows or refuses. */
export interface ConfiguredEnvironment {
  readonly environment: ExecutionEnvironment;
  /** `undefined` if the environment has no proxy. */
  readonly requests: NetworkRequests | undefined;
}

/**
 * Opens the environment that a configuration describes. If the environment may connect only to a list of hosts, it is
 * opened with a proxy that enforces the list. Otherwise, it is opened with `open`. Rejects with the errors of `open`, and
 * with `config.invalid` for an invalid list.
 */
export async function openConfiguredEnvironment(
  config: EnvironmentConfig,
  open: (config: EnvironmentConfig) => Promise<ExecutionEnvironment>,
): Promise<ConfiguredEnvironment> {
  const hasList = "network" in config && config.network?.startsWith("list:") === true;
  if (!hasList) return { environment: await open(config), requests: undefined };
  const { openListedEnvironment } = await import("@switchyard/gateway/egress");
  const kept: NetworkRequest[] = [];
  let report = (request: NetworkRequest): void => {
    if (kept.length < MAX_KEPT) kept.push(request);
  };
  const environment = await openListedEnvironment(config, ({ type: _, ...decision }) => report(decision));
  const listen = (listener: typeof report): void => {
    for (const request of kept.splice(0)) listener(request);
    report = listener;
  };
  return { environment, requests: { listen } };
}
