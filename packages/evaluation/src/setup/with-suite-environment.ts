import type { EnvironmentConfig } from "@switchyard/environment";
import type { SuiteEnvironment } from "../suite/eval-suite.ts";

const REFERENCE = /\$(?:\{(?<braced>[A-Za-z_]\w*)\}|(?<bare>[A-Za-z_]\w*))/gu;

/**
 * Adds the environment variables of a suite to the configuration of a trial's environment. References in their values
 * are replaced with variables of `env`; a missing variable is empty.
 */
export function withSuiteEnvironment(
  config: EnvironmentConfig,
  suite: SuiteEnvironment | undefined,
  env: Readonly<Record<string, string | undefined>>,
): EnvironmentConfig {
  const variables = Object.entries(suite?.variables ?? {});
  if (variables.length === 0) return config;
  const expanded = variables.map(([name, value]) => [
    name,
    value.replaceAll(REFERENCE, (...found) => lookUp(found, env)),
  ]);
  const rules = config.environmentVariables ?? {};
  const set = { ...rules.set, ...Object.fromEntries(expanded) };
  return { ...config, environmentVariables: { ...rules, set } };
}

function lookUp(found: readonly unknown[], env: Readonly<Record<string, string | undefined>>): string {
  const [, braced, bare] = found;
  const name = typeof braced === "string" ? braced : bare;
  return typeof name === "string" && Object.hasOwn(env, name) ? (env[name] ?? "") : "";
}
