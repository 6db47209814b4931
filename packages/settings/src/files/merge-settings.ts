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

/**
 * Merges the settings of the user and of a project. The project takes precedence, lists of rules are concatenated, and
 * the stricter permission mode applies. Throws `config.invalid` for an unknown mode. See architecture: decision 20.
 */
export function mergeSettings(layers: readonly SettingsLayer[]): EffectiveSettings {
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
  const strictest = permissionsIn(layers);
  if (strictest !== undefined) effective.set(strictest.name, strictest.setting);
  return effective;
}

interface Permission {
  readonly name: "mode" | "approve";
  readonly setting: EffectiveSetting;
  readonly strictness: number;
}

/** Returns the stricter of the two permission settings. If both are equally strict, returns the project's. */
function permissionsIn(layers: readonly SettingsLayer[]): Permission | undefined {
  const said = layers.flatMap((layer) => permissionIn(layer) ?? []);
  // Without a setting, all calls are allowed.
  // A project setting that allows all calls therefore never replaces the user's setting.
  return said.reduce<Permission | undefined>(
    (strictest, one) => (strictest === undefined || one.strictness >= strictest.strictness ? one : strictest),
    undefined,
  );
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
