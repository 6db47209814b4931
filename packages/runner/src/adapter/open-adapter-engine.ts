import type { AdapterEngine, AdapterEngineOptions, AdapterKind } from "@switchyard/adapter-kit";
import type { Secret } from "@switchyard/secrets";
import type { EnvironmentRecord } from "../agent/model-choice.ts";

/** What an adapter's engine is opened with. */
export interface OpenAdapterEngineOptions extends AdapterEngineOptions {
  /** What sessions mask beside the variables that the agent gets, such as what MCP servers are told. */
  readonly secrets?: readonly Secret[] | undefined;
  /** Variables of the host: those that the adapter or its block names are handed to the agent. */
  readonly env: EnvironmentRecord;
  /** The adapter's block. */
  readonly block?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Makes the engine of a kind of adapter: the block is read at once, and of the host's variables the agent gets those
 * with which it signs in and those that the block names. Rejects with `config.invalid` and `adapter.*`, before
 * anything runs. agent-adapter: register the adapter.
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
