import type { AdapterEngine, AdapterEngineOptions, AdapterKind } from "@switchyard/adapter-kit";
import type { Secret } from "@switchyard/secrets";
import type { EnvironmentRecord } from "../agent/model-choice.ts";

/** Options for `openAdapterEngine`. */
export interface OpenAdapterEngineOptions extends AdapterEngineOptions {
  /** Secrets to redact in addition to the agent's environment variables, such as those sent to MCP servers. */
  readonly secrets?: readonly Secret[] | undefined;
  /**
   * Environment variables of the program that runs the engine. The agent receives only variables that the adapter or
   * its configuration block names.
   */
  readonly env: EnvironmentRecord;
  /** The adapter's configuration block. */
  readonly block?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates an engine that runs a third-party agent through its adapter. Validates the configuration block immediately.
 * The agent receives its credential variables and the variables that the block names. Rejects with `config.invalid` and
 * `adapter.*` before the agent starts. See agent-adapter: register the adapter.
 */
export async function openAdapterEngine(kind: AdapterKind, options: OpenAdapterEngineOptions): Promise<AdapterEngine> {
  const [{ createAdapterEngine }, { secret }] = await Promise.all([
    import("@switchyard/adapter-kit"),
    import("@switchyard/secrets"),
  ]);
  const { env, block = {}, secrets = [], ...engine } = options;
  const variables: Record<string, Secret> = {};
  for (const name of kind.variableNames(block)) {
    const value = (Object.hasOwn(env, name) ? env[name] : undefined) ?? "";
    if (value !== "") variables[name] = secret(value);
  }
  const { now, createId } = engine;
  const adapter = kind.create(block, { variables, now, createId });
  return createAdapterEngine(adapter, { ...engine, secrets: [...Object.values(variables), ...secrets] });
}
