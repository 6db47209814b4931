import { EngineError } from "@switchyard/contracts";

/**
 * Permissions of an agent, with the same meaning for every engine. `plan`: read-only. `ask`: actions that need a
 * permission are denied unless an approver allows them. `auto`: the agent decides itself.
 */
export type PermissionMode = "plan" | "ask" | "auto";

/** Settings of an adapter's configuration block for each permission mode. Unsupported modes are omitted. */
export interface AdapterModes extends Readonly<Partial<Record<PermissionMode, Readonly<Record<string, unknown>>>>> {
  /** Names of configuration block settings that are overridden when a permission mode is set. */
  readonly replaces: readonly string[];
  /**
   * Settings that make the agent read instructions, skills and settings from its workspace. `undefined` if the agent
   * has no such setting: it always reads them, or never does.
   */
  readonly trusted?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns a configuration block in which the settings of a permission mode replace the block's permission settings.
 * Throws `config.invalid` if the agent does not support the mode. A weaker mode is never used instead.
 */
export function blockWithMode(
  { kind, modes }: { readonly kind: string; readonly modes?: AdapterModes | undefined },
  block: Readonly<Record<string, unknown>>,
  mode: PermissionMode,
): Readonly<Record<string, unknown>> {
  const settings = modes?.[mode];
  if (modes === undefined || settings === undefined) {
    const problem = `${kind} has no setting with the meaning of ${mode}; omit the mode, or use an environment such as sandbox`;
    throw new EngineError("config.invalid", { field: "mode", problem });
  }
  const remaining = Object.entries(block).filter(([name]) => !modes.replaces.includes(name));
  return { ...Object.fromEntries(remaining), ...settings };
}

/**
 * Returns a configuration block for runs without a user in workspaces that the host prepared, such as the runs of an
 * evaluation. If `block` sets no permissions, the agent gets those of the mode `auto`, if it supports this mode. Adds
 * the settings `trusted`, so that the agent reads the skills and settings of its workspace. Settings in `block` take
 * precedence.
 */
export function blockWithoutUser(
  { kind, modes }: { readonly kind: string; readonly modes?: AdapterModes | undefined },
  block: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (modes === undefined) return block;
  const hasPermissions = modes.replaces.some((name) => block[name] !== undefined);
  const allowed = hasPermissions || modes.auto === undefined ? block : blockWithMode({ kind, modes }, block, "auto");
  return { ...modes.trusted, ...allowed };
}
