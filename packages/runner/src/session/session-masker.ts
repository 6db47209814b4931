import type { Engine, SecretSink } from "@switchyard/contracts";
import { createMasker, isSecret, type Masker, type Secret } from "@switchyard/secrets";
import type { SessionOptions } from "./session-options.ts";

/** Masks what a session knows as secret: the values it was given, and the keys of its engine. For what is shown beside its events and its report. */
export function sessionMasker({ engine, secrets }: Pick<SessionOptions, "engine" | "secrets">): Masker {
  return createMasker(secrets ?? [], { keys: typeof engine === "string" ? [] : secretsOf(engine) });
}

/** Wrappers that are looked through; more of them are taken for a circle. */
const MAX_WRAPPERS = 64;

/**
 * What local servers are given for a key: `test`, `none`, `ollama`. Nobody keeps it secret, and without such a word
 * everywhere events, results and files would no longer say what happened.
 */
const PLACEHOLDER = /^(?:[a-z]{0,7}|.{0,3})$/iu;

/** Keys that an engine, or one that it wraps, says it may use, as the built-in agent does: nobody has to name them again. */
export function secretsOf(engine: Engine): Secret[] {
  const secrets: Secret[] = [];
  let candidate: Engine | undefined = engine;
  for (let depth = 0; candidate !== undefined && depth <= MAX_WRAPPERS; depth++) {
    const given: unknown = "secrets" in candidate ? candidate.secrets : undefined;
    if (Array.isArray(given)) secrets.push(...given.filter(isSecret));
    candidate = candidate.unwrap?.();
  }
  return secrets.filter((value) => !isPlaceholder(value.reveal()));
}

/** Whether a key is a word that local servers are given for one. */
function isPlaceholder(key: string): boolean {
  return PLACEHOLDER.test(key.trim());
}

/** Where the engine's secrets go that it comes by while it runs: from then on the masker knows them. */
export function createSecretSink(masker: Masker): SecretSink {
  return {
    add: (value) => {
      if (!isPlaceholder(value)) masker.add([], { keys: [value] });
    },
  };
}
