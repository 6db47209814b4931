import { isDeepStrictEqual } from "node:util";
import { EngineError } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { SECRET_SELECTOR_PATHS } from "../contract/provider-defaults.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { valueAt } from "../json/value-at.ts";
import type { ExecutorProvider, SecretCondition, SecretEnvRequirement } from "../manifest/runtime-manifest.ts";
import type { TaskRequest } from "../task/task-request.ts";

/** A secret that a task needs, identified by the name of its environment variable. */
export interface NeededSecret {
  /** Name of the variable. */
  readonly name: string;
  /** True if the task is rejected when the secret is not available. */
  readonly required: boolean;
}

/** Secrets by variable name. */
export type SecretValues = Readonly<Record<string, Secret | undefined>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/**
 * Returns the secrets that a task needs, sorted by name. A task needs:
 * - the secrets of the provider's readiness checks (`runner_readiness`),
 * - the provider's `secret_requirements`,
 * - the provider's `secret_env_requirements` whose conditions the request meets,
 * - the secrets of the model provider that the request names (`provider_defaults`),
 * - the secrets that the request lists (`executor.secret_env`).
 *
 * Throws `runtime.request_invalid` if the request lists an invalid variable name. See agent-runtime-package: secret
 * requirements.
 */
export function secretsNeeded(provider: ExecutorProvider, request: TaskRequest): NeededSecret[] {
  const needed = new Map<string, boolean>();
  const need = (name: string, required: boolean) => needed.set(name, required || needed.get(name) === true);
  for (const check of provider.runner_readiness ?? []) for (const name of check.secret_env ?? []) need(name, true);
  for (const { name, env = name, required } of provider.secret_requirements ?? []) {
    for (const variable of [env].flat()) need(variable, required !== false);
  }
  const defaults = defaultsOf(provider, request);
  // A conditional requirement may repeat names from the model provider's defaults.
  // The defaults decide whether these names are optional.
  const isOptional = (name: string) => defaults.get(name) === false;
  for (const requirement of provider.secret_env_requirements ?? []) {
    if (applies(requirement, request)) for (const name of [requirement.env].flat()) need(name, !isOptional(name));
  }
  for (const [name, required] of defaults) need(name, required);
  for (const name of request.executor.secret_env ?? []) {
    if (!NAME.test(name)) {
      const problem = `executor.secret_env: ${JSON.stringify(name)} is not the name of an environment variable`;
      throw new EngineError("runtime.request_invalid", { problem });
    }
    need(name, true);
  }
  return [...needed].map(([name, required]) => ({ name, required })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function applies({ when }: SecretEnvRequirement, request: TaskRequest): boolean {
  const meets = ({ path, equals }: SecretCondition): boolean => {
    const value = valueAt(request, path);
    return equals === undefined ? value !== undefined && value !== null : isDeepStrictEqual(value, equals);
  };
  if (when?.all !== undefined && !when.all.every(meets)) return false;
  return when?.any === undefined || when.any.some(meets);
}

/**
 * Returns the secrets of the model provider that the request names, with true for required ones. `secret_env` lists all
 * of them. `required_secret_env`, if present, lists the required ones. Without it, those in `optional_secret_env` are
 * optional and all others are required.
 */
function defaultsOf(
  { provider_defaults: defaults = {} }: ExecutorProvider,
  request: TaskRequest,
): ReadonlyMap<string, boolean> {
  for (const path of SECRET_SELECTOR_PATHS) {
    const name = valueAt(request, path);
    if (typeof name !== "string" || !Object.hasOwn(defaults, name)) continue;
    const {
      secret_env: all = [],
      required_secret_env: required,
      optional_secret_env: optional = [],
    } = defaults[name] ?? {};
    const isRequired = (one: string) => (required === undefined ? !optional.includes(one) : required.includes(one));
    return new Map([...all, ...(required ?? []), ...optional].map((one) => [one, isRequired(one)]));
  }
  return new Map();
}

/** Values of the secrets that a task needs, and the names of missing secrets. */
export interface ResolvedSecrets {
  /** Values by variable name. */
  readonly values: Readonly<Record<string, Secret>>;
  /** Names of required secrets that are missing or empty. */
  readonly missing: readonly string[];
}

/**
 * Selects from the available secrets only those that the task needs. See agent-runtime-package: secret requirements.
 */
export function resolveSecrets(needed: readonly NeededSecret[], available: SecretValues): ResolvedSecrets {
  const values: Record<string, Secret> = {};
  const missing: string[] = [];
  for (const { name, required } of needed) {
    const value = Object.hasOwn(available, name) ? available[name] : undefined;
    if (value !== undefined && value.reveal() !== "") values[name] = value;
    else if (required) missing.push(name);
  }
  return { values, missing };
}

/**
 * Returns a manifest's secret requirement for a model provider. The requirement applies if a standard request field
 * names that provider. See agent-runtime-package: homeboy contract adapter.
 */
export function providerSecretEnvRequirement(
  provider: string,
  env: string | readonly string[],
): SecretEnvRequirement & { readonly schema: string; readonly source: string } {
  return {
    ...{ schema: SCHEMA_IDS.secret_env_requirement, source: "provider_default", env },
    when: { any: SECRET_SELECTOR_PATHS.map((path) => ({ path, equals: provider })) },
  };
}
