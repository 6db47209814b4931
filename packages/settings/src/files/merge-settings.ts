import { APPROVAL_STRICTNESS, type ApprovalMode } from "../permissions/approval-mode.ts";
import { PERMISSION_MODES } from "../permissions/permission-mode.ts";
import { SETTING_NAMES, type SettingName } from "./setting-definitions.ts";
import { invalidSetting, type SettingsLayer, type SettingValue } from "./settings-layer.ts";

/** Merged value of a setting, with the files that contain it. */
export interface EffectiveSetting {
  /** Value of the setting. */
  readonly value: SettingValue;
  /** Files that contain the setting. */
  readonly sources: readonly SettingsLayer[];
}

/** Merged settings by name. */
export type EffectiveSettings = ReadonlyMap<SettingName, EffectiveSetting>;

/** Strictest of the default approval modes. Each command has its own default, for users who chose no approval mode. */
const STRICTEST_DEFAULT: ApprovalMode = "on-writes";

/** Approval mode that applies if no permission setting exists. */
export interface PermissionDefault {
  /**
   * Approval mode of a run for which the user chose no permissions. Default: `on-writes`, because no command has a
   * stricter default.
   */
  readonly defaultApproval?: ApprovalMode | undefined;
}

/** Permission setting in a project's settings file that does not apply, because it is not strict enough. */
export interface IgnoredPermission {
  /** Name of the setting. */
  readonly name: "mode" | "approve";
  /** Value of the setting. */
  readonly value: SettingValue;
  /** Absolute path of the project's settings file. */
  readonly path: string;
}

/**
 * Merges the settings of the user and of a project. The project takes precedence, and lists of rules are concatenated.
 * A permission mode of the project applies only if it is at least as strict as the user's setting. If the user has no
 * such setting, the default takes its place. Throws `config.invalid` for an unknown mode. See architecture: decision
 * 20.
 */
export function mergeSettings(layers: readonly SettingsLayer[], options: PermissionDefault = {}): EffectiveSettings {
  const effective = new Map<SettingName, EffectiveSetting>();
  for (const name of SETTING_NAMES) {
    if (name === "mode" || name === "approve") continue;
    const saying = layers.filter(({ values }) => values.has(name));
    const [values, last] = [saying.map((layer) => layer.values.get(name)), saying.at(-1)];
    const value = last?.values.get(name);
    if (last === undefined || value === undefined) continue;
    const rules = values.flatMap((one) => (one === undefined || typeof one !== "object" ? [] : one));
    if (typeof value === "object") effective.set(name, { value: rules, sources: saying });
    else effective.set(name, { value, sources: [last] });
  }
  const { effective: permission } = permissionsIn(layers, options);
  if (permission !== undefined) effective.set(permission.name, permission.setting);
  return effective;
}

interface Permission {
  readonly name: "mode" | "approve";
  readonly setting: EffectiveSetting;
  readonly strictness: number;
}

/**
 * Returns the permission setting of a project if it does not apply, because it is not strict enough. See
 * `mergeSettings`. `undefined` if it applies, if the project has none, or if the user's setting is equally strict.
 */
export function ignoredPermission(
  layers: readonly SettingsLayer[],
  options: PermissionDefault = {},
): IgnoredPermission | undefined {
  const { effective, user, project } = permissionsIn(layers, options);
  if (project === undefined || effective === project || user?.strictness === project.strictness) return undefined;
  const { name, setting } = project;
  return { name, value: setting.value, path: setting.sources.map(({ path }) => path).join() };
}

interface Permissions {
  /** Permission setting of the user. `undefined` if the user has none. */
  readonly user: Permission | undefined;
  /** Permission setting of the project. `undefined` if the project has none. */
  readonly project: Permission | undefined;
  /** The one of these two settings that applies. `undefined` if the default applies. */
  readonly effective: Permission | undefined;
}

function permissionsIn(layers: readonly SettingsLayer[], { defaultApproval }: PermissionDefault): Permissions {
  const [user, project] = (["user", "project"] as const).map((owner) =>
    layers.flatMap((layer) => (layer.whose === owner ? (permissionIn(layer) ?? []) : [])).at(0),
  );
  // If `allow` rules are set without a permission mode, the mode is `on-writes`, which is the strictest default.
  const hasRules = layers.some(({ values }) => values.has("allow"));
  const fallback = hasRules ? STRICTEST_DEFAULT : (defaultApproval ?? STRICTEST_DEFAULT);
  const least = user?.strictness ?? APPROVAL_STRICTNESS.indexOf(fallback);
  // A project's setting that allows all calls is never used, not even if the default is `auto`: third-party agents may
  // have a stricter default.
  const isStrictEnough = project !== undefined && project.strictness > 0 && project.strictness >= least;
  return { user, project, effective: isStrictEnough ? project : user };
}

function permissionIn(layer: SettingsLayer): Permission | undefined {
  for (const name of ["mode", "approve"] as const) {
    const value = layer.values.get(name);
    if (value === undefined) continue;
    const strictness = strictnessOf(name, value);
    if (strictness === undefined) throw invalidSetting(layer.path, name, `must be one of ${knownFor(name).join(", ")}`);
    return { name, setting: { value, sources: [layer] }, strictness };
  }
  return undefined;
}

function knownFor(name: "mode" | "approve"): readonly string[] {
  return name === "mode" ? Object.keys(PERMISSION_MODES) : APPROVAL_STRICTNESS.filter((mode) => mode !== "plan");
}

function strictnessOf(name: "mode" | "approve", value: SettingValue): number | undefined {
  const mode = Object.entries(PERMISSION_MODES).find(([known]) => known === value)?.[1];
  const meant: ApprovalMode | undefined = name === "mode" ? mode : APPROVAL_STRICTNESS.find((known) => known === value);
  if (meant === undefined || (name === "approve" && meant === "plan")) return undefined;
  return APPROVAL_STRICTNESS.indexOf(meant);
}
