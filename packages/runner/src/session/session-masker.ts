import type { Engine, SecretSink } from "@switchyard/contracts";
import { createMasker, isSecret, type Masker, type Secret } from "@switchyard/secrets";
import type { SessionOptions } from "./session-options.ts";

/**
 * Creates a masker for the secrets of a session and the keys of its engine. Use it for output other than events and
 * reports, which are already masked.
 */
export function sessionMasker({ engine, secrets }: Pick<SessionOptions, "engine" | "secrets">): Masker {
  return createMasker(secrets ?? [], { keys: typeof engine === "string" ? [] : secretsOf(engine) });
}

/** Maximum depth of wrapped engines. Deeper nesting is treated as a cycle. */
const MAX_WRAPPERS = 64;

/**
 * Placeholder API keys for local servers: `test`, `none`, `ollama`. These keys are not secret, and masking such common
 * words would make events, results and files unreadable.
 */
const PLACEHOLDER = /^(?:[a-z]{0,7}|.{0,3})$/iu;

/** Returns the API keys that an engine, or an engine wrapped by it, reports through `secrets`. */
function secretsOf(engine: Engine): Secret[] {
  const secrets: Secret[] = [];
  let candidate: Engine | undefined = engine;
  for (let depth = 0; candidate !== undefined && depth <= MAX_WRAPPERS; depth++) {
    const given: unknown = "secrets" in candidate ? candidate.secrets : undefined;
    if (Array.isArray(given)) secrets.push(...given.filter(isSecret));
    candidate = candidate.unwrap?.();
  }
  return secrets.filter((value) => !isPlaceholder(value.reveal()));
}

/** Whether a key is a placeholder. */
function isPlaceholder(key: string): boolean {
  return PLACEHOLDER.test(key.trim());
}

/** Creates a sink for secrets that the engine obtains while it runs. The masker then masks these secrets too. */
export function createSecretSink(masker: Masker): SecretSink {
  return {
    add: (value) => {
      if (!isPlaceholder(value)) masker.add([], { keys: [value] });
    },
  };
}
