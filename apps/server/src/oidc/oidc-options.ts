import type { Role } from "../guard/role.ts";

/** Signature algorithms that may be allowed. All are asymmetric, so that a public key cannot be used to sign. */
export const SIGNATURE_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** Name of a signature algorithm. */
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

/** How a server accepts the tokens of an OpenID Connect provider, and derives callers from the tokens. */
export interface OidcOptions {
  /** URL of the provider, exactly as in the claim `iss` of its tokens. `https`, or `http` on loopback. */
  readonly issuer: string;
  /** Accepted values of the claim `aud`. */
  readonly audiences: readonly string[];
  /** Path of the claim that contains the caller's owner. Default: `["sub"]`. */
  readonly ownerClaim: readonly string[];
  /** Text that is prepended to the owner, so that owners differ from those of a token file. Default: none. */
  readonly ownerPrefix: string;
  /** Path of the claim from which the caller's roles are derived. The claim is a string or a list of strings. */
  readonly rolesClaim: readonly string[] | undefined;
  /** Maps each value of the roles claim to roles. `undefined`: the values are names of roles. */
  readonly rolesByValue: ReadonlyMap<string, readonly Role[]> | undefined;
  /** Roles of every caller, in addition to those of the roles claim. */
  readonly defaultRoles: readonly Role[];
  /** Accepted signature algorithms. Default: RS256, PS256, ES256 and EdDSA. */
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Allowed difference between the clocks of the provider and the server, in seconds. Default: 30. */
  readonly clockToleranceSeconds: number;
  /** Required value of the header `typ`, such as `at+jwt`. `undefined`: any value. */
  readonly tokenType: string | undefined;
}
