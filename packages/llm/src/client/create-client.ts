import { type Client, EngineError, type ModelRequest } from "@switchyard/contracts";
import { getModelInfo } from "../catalog/get-model-info.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";

/** Options for creating a client. */
export interface ClientOptions {
  /** Providers, by the names under which requests select them. */
  providers: Readonly<Record<string, LlmProvider>>;
  /** Name of the provider for requests that name none. */
  defaultProvider?: string | undefined;
  /** Environment variables for the API keys of unconfigured providers, by provider name. Used in error messages. */
  missingKeys?: Readonly<Record<string, string>> | undefined;
  /** Environment variables for the base URLs of unconfigured providers, by provider name. Used in error messages. */
  missingAddresses?: Readonly<Record<string, string>> | undefined;
}

interface Resolved {
  provider: LlmProvider;
  request: ModelRequest;
}

function resolve(options: ClientOptions, request: ModelRequest): Resolved {
  const { providers, missingKeys = {}, missingAddresses = {} } = options;
  const name = request.provider ?? options.defaultProvider;
  if (name === undefined) {
    const variables = Object.values(missingKeys);
    const owner = getModelInfo(request.model)?.provider;
    const ownVariable = owner !== undefined && Object.hasOwn(missingKeys, owner) ? missingKeys[owner] : undefined;
    if (ownVariable !== undefined) {
      throw new EngineError("model.missing_key", { provider: owner, variable: ownVariable });
    }
    if (variables.length > 0 && request.model.trim() !== "") {
      throw new EngineError("model.missing_provider", { model: request.model, variables });
    }
    if (variables.length > 0) throw new EngineError("model.not_configured", { variables });
    const problem = "the request names no provider, and the client has no default provider";
    throw new EngineError("config.invalid", { field: "provider", problem });
  }
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider !== undefined) {
    return { provider, request: request.provider === name ? request : { ...request, provider: name } };
  }
  const variable = Object.hasOwn(missingKeys, name) ? missingKeys[name] : undefined;
  if (variable !== undefined) throw new EngineError("model.missing_key", { provider: name, variable });
  const address = Object.hasOwn(missingAddresses, name) ? missingAddresses[name] : undefined;
  if (address !== undefined) throw new EngineError("model.missing_address", { provider: name, variable: address });
  const known = [
    ...new Set([...Object.keys(providers), ...Object.keys(missingKeys), ...Object.keys(missingAddresses)]),
  ].sort();
  throw new EngineError("model.unknown_provider", { provider: name, known: known.length > 0 ? known : ["none"] });
}

/**
 * Creates a client for named providers. The client stores no state between requests, never retries and never guesses a
 * provider. Calls fail with `model.*` for an unknown provider, or with the provider's `llm.*` error. See
 * unified-llm-client: client.
 */
export function createClient(options: ClientOptions): Client {
  const { providers } = options;
  return {
    async complete(request) {
      const resolved = resolve(options, request);
      return resolved.provider.complete(resolved.request);
    },
    stream: (request) => ({
      [Symbol.asyncIterator]: () => {
        const resolved = resolve(options, request);
        return resolved.provider.stream(resolved.request)[Symbol.asyncIterator]();
      },
    }),
    async close() {
      await Promise.all(Object.values(providers).map((provider) => provider.close?.()));
    },
  };
}
