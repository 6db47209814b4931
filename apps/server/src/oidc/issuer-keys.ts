import { EngineError, messageOf } from "@switchyard/contracts";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { fetchJson } from "./fetch-json.ts";
import { isSafeUrl } from "./parse-oidc-options.ts";

/** Age of the keys after which they are read again in the background, in milliseconds. */
const REFRESH_MS = 600_000;
/** Age after which keys are no longer used, in milliseconds, so that a provider can revoke keys. */
const MAX_AGE_MS = 3_600_000;
/** Minimum time between two reads of the keys, in milliseconds, whatever tokens callers send. */
const MIN_INTERVAL_MS = 10_000;
/** Maximum number of keys of a provider. */
const MAX_KEYS = 100;

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.string().refine(isSafeUrl, "it is not https") });
const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) });

/** Options of `IssuerKeys`. */
export interface IssuerKeysOptions {
  /** URL of the provider. */
  readonly issuer: string;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Called each time the keys cannot be read. */
  readonly onError: (error: unknown) => void;
}

/**
 * Public keys of an OpenID Connect provider. They are found by discovery, and read again when they are 10 minutes old
 * or when a token names an unknown key. Contract: at most one read is in progress, and reads begin at least 10 seconds
 * apart, so that callers cannot make the server flood the provider with requests. If the provider is unreachable, known
 * keys are used for up to an hour.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #find: JWTVerifyGetKey | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /**
   * Finds the key of a token. Rejects with `server.issuer_unavailable` if no current keys are known, and with
   * `JWKSNoMatchingKey` if the provider has no such key.
   */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    const find = await this.#current();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayRead()) throw error;
      await this.refresh();
      return (this.#find ?? find)(header, token);
    }
  };

  /** Reads the keys, unless they were read less than 10 seconds ago. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#reading === undefined && this.#mayRead()) {
      this.#startedAtMs = this.#options.monotonic();
      this.#reading = this.#read()
        .catch(this.#options.onError)
        .finally(() => {
          this.#reading = undefined;
        });
    }
    await this.#reading;
  }

  /**
   * Returns true if `refresh` may find new keys: a read is in progress, or the last read started at least 10 seconds
   * ago.
   */
  #mayRead(): boolean {
    return this.#reading !== undefined || this.#options.monotonic() - this.#startedAtMs >= MIN_INTERVAL_MS;
  }

  async #current(): Promise<JWTVerifyGetKey> {
    const ageMs = this.#options.monotonic() - this.#readAtMs;
    if (ageMs > MAX_AGE_MS) {
      this.#find = undefined;
      await this.refresh();
    } else if (ageMs > REFRESH_MS) void this.refresh();
    if (this.#find === undefined) throw new EngineError("server.issuer_unavailable");
    return this.#find;
  }

  async #read(): Promise<void> {
    const { issuer, monotonic } = this.#options;
    try {
      const discovery = discoverySchema.parse(
        await fetchJson(`${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`),
      );
      if (discovery.issuer !== issuer) throw new Error(`The provider names itself ${discovery.issuer}.`);
      const { keys } = keySetSchema.parse(await fetchJson(discovery.jwks_uri));
      this.#find = createLocalJWKSet({ keys } satisfies JSONWebKeySet);
      this.#readAtMs = monotonic();
    } catch (cause) {
      throw new EngineError("server.issuer_unreadable", { issuer, problem: messageOf(cause) }, { cause });
    }
  }
}
