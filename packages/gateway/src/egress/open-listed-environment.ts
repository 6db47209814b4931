import type { ExecutionEnvironment } from "@switchyard/contracts";
import { type EnvironmentConfig, type EnvironmentProxy, openEnvironment } from "@switchyard/environment";
import type { EgressDecision } from "./egress-decision.ts";
import { type EgressProxyOptions, startEgressProxy } from "./proxy/start-egress-proxy.ts";
import { isEgressList, parseEgressRules } from "./rules/egress-rules.ts";
import { withRefusalNotes } from "./with-refusal-notes.ts";

/**
 * Opens the environment that a configuration describes. If its network is a list of hosts (`list:…`), also starts a
 * proxy that allows these hosts only. The proxy closes with the environment. `onDecision` receives every decision of
 * the proxy. The explanations of refused connections are appended to the standard error of the command that made them.
 *
 * Throws `config.invalid` for an invalid list and an invalid `hostProxy`, and the errors of `openEnvironment`.
 */
export async function openListedEnvironment(
  config: EnvironmentConfig,
  onDecision: (decision: EgressDecision) => void,
  { hostProxy }: Pick<EgressProxyOptions, "hostProxy"> = {},
): Promise<ExecutionEnvironment> {
  const list = networkListOf(config);
  if (list === undefined) return openEnvironment(config);
  let note: ((decision: EgressDecision) => void) | undefined;
  const proxy = await startEgressProxy({
    ...{ rules: parseEgressRules(list), hostProxy },
    onDecision(decision) {
      note?.(decision);
      onDecision(decision);
    },
  });
  try {
    const noted = withRefusalNotes(await openEnvironment(withProxy(config, proxy)));
    ({ note } = noted);
    return noted.environment;
  } catch (error) {
    await proxy[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Returns the network setting of an environment if it is a list of allowed hosts (`list:…`). Otherwise returns
 * `undefined`.
 */
function networkListOf(config: EnvironmentConfig): string | undefined {
  const network = "network" in config ? config.network : undefined;
  return network !== undefined && isEgressList(network) ? network : undefined;
}

function withProxy(config: EnvironmentConfig, proxy: EnvironmentProxy): EnvironmentConfig {
  if (config.type === "sandbox") return { ...config, proxy };
  return config.type === "docker" && config.image !== undefined ? { ...config, proxy } : config;
}
