import type { EnvironmentVariables } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { variablesOf } from "../command/command-line.ts";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import { type GitRemote, pushDenial } from "../git/push-denial.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";

/** What the variables of a command are made from. */
export interface TaskVariableOptions {
  /** Values of the secrets it needs. */
  readonly secrets: Readonly<Record<string, Secret>>;
  /** Whether it may push; it may not by default. */
  readonly allowGitPush?: boolean | undefined;
  /** Remotes of the workspace; none by default. */
  readonly remotes?: readonly GitRemote[] | undefined;
}

/**
 * The variables of a provider's command: a small core, what the manifest declares, the secrets it needs, and where its
 * package is. agent-runtime-package: provider command contract; architecture: decision 19.
 */
export function taskVariables(
  runtime: RuntimePackage,
  provider: ExecutorProvider,
  { secrets, allowGitPush, remotes = [] }: TaskVariableOptions,
): EnvironmentVariables {
  const values = Object.entries(secrets).map(([name, value]) => [name, value.reveal()] as const);
  return {
    policy: "core",
    allow: [...(provider.invocation?.env_allowlist ?? [])],
    set: {
      ...variablesOf(provider.invocation ?? {}, runtime.folder),
      ...Object.fromEntries(values),
      ...(allowGitPush === true ? {} : pushDenial(remotes)),
      HOMEBOY_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_RUNTIME_ID: runtime.id,
      HOMEBOY_AGENT_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_TASK_PROVIDER_ID: provider.id,
    },
  };
}
