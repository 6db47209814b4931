/** What a token may do: look at runs, make and steer them, do so with everybody's, read the metrics. */
export type Scope = "read" | "run" | "admin" | "metrics";

const SCOPES: readonly Scope[] = ["read", "run", "admin", "metrics"];

/** Who sent a request. */
export interface Caller {
  /** Whose runs it may see: several tokens may have one owner. */
  readonly owner: string;
  /** What it may do. */
  readonly scopes: ReadonlySet<Scope>;
}

/** Whoever reaches a server without tokens, which is this machine. */
export const LOCAL_CALLER: Caller = { owner: "local", scopes: new Set(SCOPES) };

/** Whether a caller may do something; `admin` may do everything. */
export function mayDo({ scopes }: Caller, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has("admin");
}

/** Whether a run is one that a caller may know of. */
export function maySee(caller: Caller, owner: string | undefined): boolean {
  return caller.scopes.has("admin") || owner === caller.owner;
}

/** Whether a text is a scope. */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
