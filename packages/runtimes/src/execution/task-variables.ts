import type { EnvironmentVariables } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { variablesOf } from "../command/command-line.ts";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import { type GitRemote, pushDenial } from "../git/push-denial.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";

/**
 * Variable with the seat of the run that waits for the task: text that names the active run in shared budgets. The command
 * `switchyard runtimes exec` counts its usage for this run, so that it does not wait for its caller. The caller compares
 * the usage that the task reports with the usage that was counted for the run.
 */
export const SEAT_VARIABLE = "SWITCHYARD_BUDGET_SEAT";

/** Seat of a run without shared budgets. No budget contains this run, so the usage of its task is not counted. */
export const NO_SEAT = "none";

/** Options for `taskVariables`. */
export interface TaskVariableOptions {
  /** Values of the required secrets. */
  readonly secrets: Readonly<Record<string, Secret>>;
  /** True if the command may use git push. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /** Seat of the run that waits for the task. Default: none. */
  readonly budgetSeat?: string | undefined;
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
  { secrets, allowGitPush, budgetSeat, remotes = [] }: TaskVariableOptions,
): EnvironmentVariables {
  const values = Object.entries(secrets).map(([name, value]) => [name, value.reveal()] as const);
  return {
    policy: "core",
    allow: [...(provider.invocation?.env_allowlist ?? [])],
    set: {
      ...variablesOf(provider.invocation ?? {}, runtime.folder),
      ...Object.fromEntries(values),
      ...(allowGitPush === true ? {} : pushDenial(remotes)),
      ...(budgetSeat === undefined ? {} : { [SEAT_VARIABLE]: budgetSeat }),
      HOMEBOY_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_RUNTIME_ID: runtime.id,
      HOMEBOY_AGENT_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_TASK_PROVIDER_ID: provider.id,
    },
  };
}
