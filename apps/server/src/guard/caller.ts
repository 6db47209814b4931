import { ROLES, type Role } from "./role.ts";

/** Sender of a request. */
export interface Caller {
  /** Name of the owner whose runs the caller may access. Several callers may share an owner. */
  readonly owner: string;
  /** Roles of the caller. A caller with several roles may do what any of these roles allows. */
  readonly roles: ReadonlySet<Role>;
  /**
   * Name of the sender in logs: `token:` and the beginning of the token's hash, or `oidc:` and the claim `sub`.
   * `undefined` if the server does not distinguish callers.
   */
  readonly subject?: string | undefined;
  /** Time at which the caller's token expires, in milliseconds since 1970. `undefined` if it does not expire. */
  readonly expiresAtMs?: number | undefined;
  /** Returns whether the caller's token has been removed since the request began. Default: false. */
  readonly isRevoked?: (() => boolean) | undefined;
}

/** Caller of a server without tokens, which is reachable from this machine only. */
export const LOCAL_CALLER: Caller = { owner: "local", roles: new Set(ROLES), subject: "local" };

/** Returns whether a caller may learn that a run of an owner exists. */
export function maySee(caller: Caller, owner: string | undefined): boolean {
  return caller.roles.has("admin") || owner === caller.owner;
}

/** Returns whether a caller has at least one of several roles. */
export function hasRole({ roles }: Caller, allowed: readonly Role[]): boolean {
  return allowed.some((role) => roles.has(role));
}

/** Returns whether a caller's token has expired, or was removed since the request began. */
export function isExpired({ expiresAtMs, isRevoked }: Caller, nowMs: number): boolean {
  return isRevoked?.() === true || (expiresAtMs !== undefined && nowMs >= expiresAtMs);
}
