import { ROLES, type Role } from "./role.ts";

/** Sender of a request. */
export interface Caller {
  /** Name of the owner whose runs the caller may access. Several callers may share an owner. */
  readonly owner: string;
  /** Roles of the caller. A caller with several roles may do what any of these roles allows. */
  readonly roles: ReadonlySet<Role>;
}

/** Caller of a server without tokens, which is reachable from this machine only. */
export const LOCAL_CALLER: Caller = { owner: "local", roles: new Set(ROLES) };

/** Returns whether a caller may learn that a run of an owner exists. */
export function maySee(caller: Caller, owner: string | undefined): boolean {
  return caller.roles.has("admin") || owner === caller.owner;
}

/** Returns whether a caller has at least one of several roles. */
export function hasRole({ roles }: Caller, allowed: readonly Role[]): boolean {
  return allowed.some((role) => roles.has(role));
}
