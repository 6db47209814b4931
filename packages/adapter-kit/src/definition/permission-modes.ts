import { EngineError } from "@switchyard/contracts";

/**
 * What an agent may do, in one word that means the same for every engine: `plan` looks and changes nothing, `ask` is
 * denied whatever would need a permission where nobody gives one, `auto` does what it thinks right.
 */
export type PermissionMode = "plan" | "ask" | "auto";

/** What the modes come to in the block of an adapter. A mode that the agent has nothing for is left out. */
export interface AdapterModes extends Readonly<Partial<Record<PermissionMode, Readonly<Record<string, unknown>>>>> {
  /** Settings of the block in whose place a mode stands. */
  readonly replaces: readonly string[];
}

/**
 * A block in which a mode stands in place of its own permissions. Throws `config.invalid` where the agent has nothing
 * that means this mode: it is never taken for a weaker one.
 */
export function blockWithMode(
  { kind, modes }: { readonly kind: string; readonly modes?: AdapterModes | undefined },
  block: Readonly<Record<string, unknown>>,
  mode: PermissionMode,
): Readonly<Record<string, unknown>> {
  const settings = modes?.[mode];
  if (modes === undefined || settings === undefined) {
    const problem = `nothing that ${kind} can be told means ${mode}; leave it out, or keep it in a place such as --env sandbox`;
    throw new EngineError("config.invalid", { field: "--mode", problem });
  }
  const kept = Object.entries(block).filter(([name]) => !modes.replaces.includes(name));
  return { ...Object.fromEntries(kept), ...settings };
}
