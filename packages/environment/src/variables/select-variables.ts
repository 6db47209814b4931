import type { EnvironmentVariables } from "@switchyard/contracts";
import { isSecretName, looksLikeCredential } from "@switchyard/secrets";
import { isCoreVariable } from "./core-variables.ts";

/** The host's environment variables, in the format of `process.env`. */
export type HostVariables = Readonly<Record<string, string | undefined>>;

/**
 * Environment variables that name a script which a shell runs at its start. They are removed so that commands behave
 * the same on every machine.
 */
const SHELL_STARTUP_NAMES: ReadonlySet<string> = new Set(["BASH_ENV", "ENV"]);

/**
 * Returns the environment variables that a command sees. See loop: §4.2.
 *
 * `deny` takes precedence over `allow`, and `allow` over the policy. `set` is applied last, unchanged. Names in `allow`
 * and `deny` are case-insensitive. Policy `all` excludes secret names, values that look like credentials, and BASH_ENV
 * and ENV.
 */
export function selectVariables(host: HostVariables, rules: EnvironmentVariables = {}): Record<string, string> {
  const allowed = upperCased(rules.allow);
  const denied = upperCased(rules.deny);
  const selected: [string, string][] = [];
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || denied.has(name.toUpperCase())) continue;
    if (allowed.has(name.toUpperCase()) || passesPolicy(name, value, rules)) selected.push([name, value]);
  }
  // Built with `Object.fromEntries`, because a variable may be named `__proto__`.
  const inherited = Object.fromEntries(selected);
  return Object.fromEntries([...selected, ...Object.entries(appendGitSettings(inherited, rules.set ?? {}))]);
}

const GIT_COUNT = "GIT_CONFIG_COUNT";
const COUNT = /^\d{1,3}$/;

/**
 * Merges git settings passed in numbered variables (`GIT_CONFIG_KEY_0`, …). Settings set for a command get numbers
 * after the host's settings, so that both apply.
 */
function appendGitSettings(
  inherited: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [before, ownCount] = [inherited[GIT_COUNT], set[GIT_COUNT]];
  if (before === undefined || ownCount === undefined || !COUNT.test(before) || !COUNT.test(ownCount)) return set;
  const first = Number(before);
  const renamed = Object.entries(set).map(([name, value]): [string, string] => {
    const [, kind, index] = /^GIT_CONFIG_(KEY|VALUE)_(\d+)$/.exec(name) ?? [];
    return kind === undefined ? [name, value] : [`GIT_CONFIG_${kind}_${first + Number(index)}`, value];
  });
  return { ...Object.fromEntries(renamed), [GIT_COUNT]: String(first + Number(ownCount)) };
}

/**
 * Merges the variable rules of an environment with those of a call. Lists are concatenated; the policy and variables of
 * the call take precedence.
 */
export function mergeVariableRules(
  base: EnvironmentVariables | undefined,
  call: EnvironmentVariables | undefined,
): EnvironmentVariables {
  return {
    policy: call?.policy ?? base?.policy,
    allow: [...(base?.allow ?? []), ...(call?.allow ?? [])],
    deny: [...(base?.deny ?? []), ...(call?.deny ?? [])],
    set: { ...base?.set, ...call?.set },
  };
}

function passesPolicy(name: string, value: string, { policy = "all" }: EnvironmentVariables): boolean {
  if (policy === "none") return false;
  if (isCoreVariable(name)) return true;
  if (policy === "core" || SHELL_STARTUP_NAMES.has(name)) return false;
  return !isSecretName(name) && !looksLikeCredential(value);
}

function upperCased(names: readonly string[] = []): ReadonlySet<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}
