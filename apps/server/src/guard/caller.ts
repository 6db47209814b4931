/**
 * Permission of a token. `read`: read runs. `run`: create and steer runs. `admin`: access runs of all owners.
 * `metrics`: read metrics.
 */
export type Scope = "read" | "run" | "admin" | "metrics";

const SCOPES: readonly Scope[] = ["read", "run", "admin", "metrics"];

/** Sender of a request. */
export interface Caller {
  /** Name of the owner whose runs the caller may access. Several tokens may share an owner. */
  readonly owner: string;
  /** Permissions of the caller. */
  readonly scopes: ReadonlySet<Scope>;
}

/** Caller of a server without tokens, which is reachable from this machine only. */
export const LOCAL_CALLER: Caller = { owner: "local", scopes: new Set(SCOPES) };

/** Returns whether a caller has a permission. `admin` includes all. */
export function mayDo({ scopes }: Caller, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has("admin");
}

/** Returns whether a caller may learn that a run exists. */
export function maySee(caller: Caller, owner: string | undefined): boolean {
  return caller.scopes.has("admin") || owner === caller.owner;
}

/** Returns whether a text is the name of a token scope. */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
