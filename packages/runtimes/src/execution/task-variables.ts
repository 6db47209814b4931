import type { EnvironmentVariables } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { variablesOf } from "../command/command-line.ts";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import { type GitRemote, pushDenial } from "../git/push-denial.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";

/**
 * Environment variable that is set for a task's command if the caller already counts the task's usage in shared
 * budgets. The command `switchyard runtimes exec` then counts nothing itself. Otherwise the usage would be counted
 * twice, and at the limit of concurrent runs the task would wait for its caller, which waits for the task.
 */
export const COUNTED_VARIABLE = "SWITCHYARD_USAGE_IS_COUNTED";

/** Options for `taskVariables`. */
export interface TaskVariableOptions {
  /** Values of the required secrets. */
  readonly secrets: Readonly<Record<string, Secret>>;
  /** True if the command may use git push. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /** True if the caller counts the usage of the task in shared budgets. Default: false. */
  readonly countsUsage?: boolean | undefined;
  /** Git remotes of the workspace. Default: none. */
  readonly remotes?: readonly GitRemote[] | undefined;
}

/**
 * Returns the environment variables of a provider's command: core variables such as PATH, variables that the manifest
 * names, the required secrets, and the package's folder. See agent-runtime-package: provider command contract;
 * architecture: decision 19.
 */
export function taskVariables(
  runtime: RuntimePackage,
  provider: ExecutorProvider,
  { secrets, allowGitPush, countsUsage, remotes = [] }: TaskVariableOptions,
): EnvironmentVariables {
  const values = Object.entries(secrets).map(([name, value]) => [name, value.reveal()] as const);
  return {
    policy: "core",
    allow: [...(provider.invocation?.env_allowlist ?? [])],
    set: {
      ...variablesOf(provider.invocation ?? {}, runtime.folder),
      ...Object.fromEntries(values),
      ...(allowGitPush === true ? {} : pushDenial(remotes)),
      ...(countsUsage === true ? { [COUNTED_VARIABLE]: "1" } : {}),
      HOMEBOY_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_RUNTIME_ID: runtime.id,
      HOMEBOY_AGENT_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_TASK_PROVIDER_ID: provider.id,
    },
  };
}
