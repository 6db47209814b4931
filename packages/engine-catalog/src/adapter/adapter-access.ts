import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AdapterKind } from "@switchyard/adapter-kit";
import type { ModelRoute } from "@switchyard/contracts";
import type { OpenModelAccess } from "@switchyard/engine";
import { createModelAccess, type EnvironmentRecord } from "@switchyard/runner";
import { type Secret, secret } from "@switchyard/secrets";
import type { DirectCause } from "../engine/opened-engine.ts";

/** Name of the only environment whose processes have the user's home folder. */
const LOCAL = "local";

/** How a third-party agent reaches models. */
export interface AdapterAccess {
  /** `gateway`, or `direct` with a reason in parentheses. */
  readonly description: string;
  /** Why the agent calls models directly. `undefined` if it uses the gateway. */
  readonly directCause?: DirectCause | undefined;
  /** Opens access to models through the gateway, for one run. `undefined` if the agent calls models directly. */
  readonly open?: OpenModelAccess | undefined;
  /** Sentences, without a full stop, about fallback models that the gateway cannot use. */
  readonly fallbackProblems?: readonly string[] | undefined;
}

/** Options for {@link openAdapterAccess}. */
interface AdapterAccessOptions {
  /** Environment variables of the host. */
  readonly env: EnvironmentRecord;
  /** Path of the user's credentials file, which can contain the API key of the agent's provider. Default: none. */
  readonly credentialsFile?: string | undefined;
  /** Name of the run's environment, such as `sandbox`. Default: `local`. */
  readonly environment?: string | undefined;
  /** Configuration of the adapter. */
  readonly block: Readonly<Record<string, unknown>>;
  /** Whether the user switched the gateway off. */
  readonly direct?: boolean | undefined;
  /** Opens access to models, in place of the gateway with the API keys of the host. Default: `undefined`. */
  readonly openModelAccess?: OpenModelAccess | undefined;
  /** Models, `provider/model`, that replace a model that fails. Default: none. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** The only models that the agent may call. Default: all models of its provider. */
  readonly allowedModels?: readonly string[] | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Decides how a third-party agent reaches models: through the gateway, or directly. The gateway requires that the
 * adapter can redirect the agent, that an environment variable or the credentials file contains an API key of its
 * provider, and that the agent would not use a login that is stored in the user's home folder. With such a login, the
 * user's subscription pays for the agent's calls, whereas the gateway would charge the API key. Only the environment
 * `local` contains the user's home folder. If one of these conditions is not met, the agent calls models directly.
 * Rejects with `config.invalid` and `credentials.*`.
 */
export async function openAdapterAccess(kind: AdapterKind, options: AdapterAccessOptions): Promise<AdapterAccess> {
  const { env, block, direct, openModelAccess: given, now, credentialsFile, environment = LOCAL } = options;
  if (direct === true) return directly("the gateway is switched off", "switched_off");
  const variables = variablesOf(kind, options);
  const route = kind.modelRoute?.(block, variables);
  if (route === undefined) return directly(`the adapter ${kind.kind} cannot redirect model calls`, "not_redirectable");
  if (route.directReason !== undefined) return directly(route.directReason, "not_redirectable");
  if (given !== undefined) return { description: "gateway", open: given };
  const { fallbackModels, allowedModels } = options;
  const sources = { env, credentialsFile, provider: route.provider, fallbackModels, allowedModels, now };
  const access = createModelAccess(sources);
  const login = `own login of ${kind.kind}`;
  if (environment === LOCAL && (await usesLogin(kind, variables, env))) return directly(login, "stored_login");
  if (!(await hasKey(access, route))) return directly(login, "no_key");
  return { description: "gateway", open: access.open, fallbackProblems: await access.fallbackProblems(route) };
}

function directly(reason: string, directCause: DirectCause): AdapterAccess {
  return { description: `direct (${reason})`, directCause };
}

/**
 * Returns true if the agent would authenticate with a login that is stored in the user's home folder, not with an
 * environment variable.
 */
async function usesLogin(
  { checkup }: AdapterKind,
  variables: Record<string, Secret>,
  env: EnvironmentRecord,
): Promise<boolean> {
  const home = env["HOME"] ?? homedir();
  let isStored = false;
  const homeHas = async (path: string): Promise<boolean> => {
    isStored = existsSync(join(home, path));
    return isStored;
  };
  const nothing = async (): Promise<undefined> => undefined;
  const has = (name: string): boolean => Object.hasOwn(variables, name);
  const found = await checkup.checkAuthentication?.({ has, homeHas, run: nothing, runProgram: nothing });
  return isStored && found?.state === "yes";
}

async function hasKey(access: ReturnType<typeof createModelAccess>, { provider }: ModelRoute): Promise<boolean> {
  return (await access.providers(provider)).length > 0;
}

function variablesOf(kind: AdapterKind, { env, block }: AdapterAccessOptions): Record<string, Secret> {
  const variables: Record<string, Secret> = {};
  for (const name of kind.variableNames(block)) {
    const value = (Object.hasOwn(env, name) ? env[name] : undefined) ?? "";
    if (value !== "") variables[name] = secret(value);
  }
  return variables;
}
