import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { isLoopback } from "../guard/loopback.ts";
import { ROLES } from "../guard/role.ts";
import { type OidcOptions, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "./oidc-options.ts";

const DEFAULT_ALGORITHMS: readonly SignatureAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_CLOCK_TOLERANCE_SECONDS = 300;

const name = z.string().min(1).max(256);
/** Name of a claim, or a list of names that leads to a nested claim. */
const claim = z.union([name.transform((text) => [text]), z.array(name).min(1).max(8)]);
const roles = z.array(z.enum(ROLES));

const oidcDocumentSchema = z.strictObject({
  issuer: z.string().refine(isIssuer, "it must be an https URL without query and fragment (http only on loopback)"),
  audience: z.union([name.transform((text) => [text]), z.array(name).min(1)]),
  owner: z.strictObject({ claim: claim.optional(), prefix: z.string().max(64).optional() }).optional(),
  roles: z
    .strictObject({
      claim: claim.optional(),
      values: z.record(z.string(), roles).optional(),
      default: roles.optional(),
    })
    .refine((value) => value.claim !== undefined || (value.default ?? []).length > 0, "it needs `claim` or `default`"),
  algorithms: z.array(z.enum(SIGNATURE_ALGORITHMS)).min(1).optional(),
  clock_tolerance_seconds: z.number().int().min(0).max(MAX_CLOCK_TOLERANCE_SECONDS).optional(),
  token_type: name.optional(),
});

/** Parses an OpenID Connect configuration, in its form on disk. Throws `server.invalid_oidc`. */
export function parseOidcOptions(document: unknown, path: string): OidcOptions {
  const parsed = oidcDocumentSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? "the document" : issue.path.map(String).join(".");
    throw new EngineError("server.invalid_oidc", { path, problem: `${field}: ${issue?.message ?? "it is invalid"}` });
  }
  const { issuer, audience, owner = {}, roles: roleOptions, algorithms, token_type: tokenType } = parsed.data;
  const { values } = roleOptions;
  return {
    ...{ issuer, audiences: audience },
    ownerClaim: owner.claim ?? ["sub"],
    ownerPrefix: owner.prefix ?? "",
    rolesClaim: roleOptions.claim,
    rolesByValue: values === undefined ? undefined : new Map(Object.entries(values)),
    defaultRoles: roleOptions.default ?? [],
    algorithms: algorithms ?? DEFAULT_ALGORITHMS,
    clockToleranceSeconds: parsed.data.clock_tolerance_seconds ?? CLOCK_TOLERANCE_SECONDS,
    tokenType,
  };
}

function isIssuer(text: string): boolean {
  return isSafeUrl(text) && !/[?#]/u.test(text);
}

/** Returns whether a text is a URL from which keys may be read: `https`, or `http` on this machine. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname.replace(/^\[|\]$/gu, "")));
}
