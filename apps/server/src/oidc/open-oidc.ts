import { EngineError } from "@switchyard/contracts";
import { errors, jwtVerify } from "jose";
import type { Caller } from "../guard/caller.ts";
import { callerOfClaims } from "./caller-of-claims.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import type { OidcOptions } from "./oidc-options.ts";

/** Matches a bearer token in the form of a signed JWT. */
const JWT = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/iu;

/** Identifies callers by the tokens of an OpenID Connect provider. */
export interface OidcVerifier {
  /**
   * Resolves with the caller whose token an `Authorization` header contains. `undefined` if the header contains no
   * signed JWT. Rejects with `server.invalid_token`, and with `server.issuer_unavailable` if the provider's keys are
   * unknown.
   */
  callerOf(authorization: string | undefined): Promise<Caller | undefined>;
}

/** Options for verifying tokens. */
export interface OpenOidcOptions {
  /** Called each time the provider's keys cannot be read. */
  readonly onError: (error: unknown) => void;
  /** Wall clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Monotonic clock, in milliseconds. Default: the process's clock. */
  readonly monotonic?: (() => number) | undefined;
}

/**
 * Creates a verifier for the tokens of an OpenID Connect provider, and begins to read the provider's keys. The server
 * can start while the provider is unreachable.
 */
export function openOidc(
  options: OidcOptions,
  { onError, now = Date.now, monotonic = () => performance.now() }: OpenOidcOptions,
): OidcVerifier {
  const { issuer, audiences, algorithms, clockToleranceSeconds, tokenType, ownerClaim } = options;
  const keys = new IssuerKeys({ issuer, monotonic, onError });
  void keys.refresh();
  return {
    async callerOf(authorization) {
      const [, token] = JWT.exec(authorization ?? "") ?? [];
      if (token === undefined) return undefined;
      try {
        const { payload } = await jwtVerify(token, keys.keyOf, {
          ...{ issuer, audience: [...audiences], algorithms: [...algorithms], clockTolerance: clockToleranceSeconds },
          ...(tokenType === undefined ? {} : { typ: tokenType }),
          currentDate: new Date(now()),
          requiredClaims: ["exp", ...ownerClaim.slice(0, 1)],
        });
        const caller = callerOfClaims(payload, options);
        if (typeof caller !== "string") return caller;
        throw new EngineError("server.invalid_token", { problem: caller });
      } catch (error) {
        if (EngineError.is(error)) throw error;
        throw new EngineError("server.invalid_token", { problem: problemOf(error) }, { cause: error });
      }
    },
  };
}

/** Returns what is wrong with a token. Only the holder of a correctly signed token learns about its claims. */
function problemOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is missing or does not match`;
  return "its signature cannot be verified with a key of the issuer";
}
