import type { EnvironmentVariables } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";

/** Where git is told to push when it must not: no transport has this name. */
const NOWHERE = "push-is-denied://";

/** What takes pushing away from git, and asking for passwords; fetching and committing stay. */
const WITHOUT_PUSH: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "/bin/false",
  SSH_ASKPASS: "/bin/false",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "credential.helper",
  GIT_CONFIG_VALUE_0: "",
  // Every address begins with the empty text.
  GIT_CONFIG_KEY_1: `url.${NOWHERE}.pushInsteadOf`,
  GIT_CONFIG_VALUE_1: "",
};

/** What the variables of a command are made from. */
export interface TaskVariableOptions {
  /** Values of the secrets it needs. */
  readonly secrets: Readonly<Record<string, Secret>>;
  /** Whether it may push; it may not by default. */
  readonly allowGitPush?: boolean | undefined;
}

/**
 * The variables of a provider's command: a small core, what the manifest declares, the secrets it needs, and where its
 * package is. agent-runtime-package: provider command contract; architecture: decision 19.
 */
export function taskVariables(
  runtime: RuntimePackage,
  provider: ExecutorProvider,
  { secrets, allowGitPush }: TaskVariableOptions,
): EnvironmentVariables {
  const values = Object.entries(secrets).map(([name, value]) => [name, value.reveal()] as const);
  return {
    policy: "core",
    allow: [...(provider.invocation?.env_allowlist ?? [])],
    set: {
      ...provider.invocation?.env,
      ...Object.fromEntries(values),
      ...(allowGitPush === true ? {} : WITHOUT_PUSH),
      HOMEBOY_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_RUNTIME_ID: runtime.id,
      HOMEBOY_AGENT_RUNTIME_PATH: runtime.folder,
      HOMEBOY_AGENT_TASK_PROVIDER_ID: provider.id,
    },
  };
}
