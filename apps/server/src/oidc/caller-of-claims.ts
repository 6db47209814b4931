import type { JWTPayload } from "jose";
import type { Caller } from "../guard/caller.ts";
import { isRole, type Role } from "../guard/role.ts";
import type { OidcOptions } from "./oidc-options.ts";

/** Matches an owner: printable ASCII without spaces at its ends. */
const OWNER = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/u;
const MS_PER_SECOND = 1_000;

/**
 * Derives a caller from the claims of a verified token. Returns a text that states the problem if the claims contain no
 * valid owner. A caller whose claims match no role has no roles, and may do nothing.
 */
export function callerOfClaims(claims: JWTPayload, options: OidcOptions): Caller | string {
  const { ownerClaim, ownerPrefix, defaultRoles } = options;
  const claimed = claimAt(claims, ownerClaim);
  const owner = typeof claimed === "string" && claimed !== "" ? ownerPrefix + claimed : "";
  if (!OWNER.test(owner))
    return `its claim ${ownerClaim.join(".")} is not a text of 1 to 128 printable ASCII characters`;
  const { sub, exp } = claims;
  return {
    owner,
    roles: new Set([...defaultRoles, ...rolesIn(claims, options)]),
    subject: `oidc:${sub ?? owner}`,
    ...(exp === undefined ? {} : { expiresAtMs: (exp + options.clockToleranceSeconds) * MS_PER_SECOND }),
  };
}

function rolesIn(claims: JWTPayload, { rolesClaim, rolesByValue }: OidcOptions): readonly Role[] {
  const claimed = rolesClaim === undefined ? undefined : claimAt(claims, rolesClaim);
  // Some providers send a list, others one text with names separated by spaces, as in the claim `scope`.
  const values = Array.isArray(claimed) ? claimed : typeof claimed === "string" ? [claimed, ...claimed.split(" ")] : [];
  return values.flatMap((value: unknown) => {
    if (typeof value !== "string") return [];
    if (rolesByValue !== undefined) return rolesByValue.get(value) ?? [];
    return isRole(value) ? [value] : [];
  });
}

/** Returns the claim at a path. Only own properties count, so that no inherited property is taken for a claim. */
function claimAt(claims: JWTPayload, path: readonly string[]): unknown {
  let value: unknown = claims;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return value;
}
