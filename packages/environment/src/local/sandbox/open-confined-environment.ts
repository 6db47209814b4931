import type { ExecutionEnvironment } from "@switchyard/contracts";
import { assertKnownOptions, type OptionNames } from "../../known-options.ts";
import type { LocalEnvironmentParts } from "../local-environment.ts";
import { LocalEnvironment } from "../local-environment.ts";
import type { LocalEnvironmentOptions } from "../open-local-environment.ts";
import { LOCAL_OPTIONS, localParts, processTimes } from "../open-local-environment.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { type ConfinementRules, prepareConfinedPaths } from "./confined-paths.ts";
import { openProcessNamespaces } from "./process-namespaces.ts";

export type { ConfinementRules } from "./confined-paths.ts";

/** Options for opening a confined environment, in which commands can access only some files. */
export interface ConfinedEnvironmentOptions extends Omit<LocalEnvironmentOptions, "processes">, ConfinementRules {}

const CONFINED_OPTIONS: OptionNames<ConfinedEnvironmentOptions> = {
  ...LOCAL_OPTIONS,
  writes: true,
  readOnly: true,
  hidden: true,
};

/**
 * Opens a local environment in which some paths are read-only or hidden for commands. Everything else stays accessible,
 * including the network and the user's settings. This is weaker than a sandbox: it restricts which files a trusted
 * command can change. Needs Linux and bubblewrap; resolves with `undefined` if this machine cannot restrict commands.
 * File operations of the environment itself are not restricted.
 *
 * Throws `workspace.not_found`, `workspace.not_a_directory` and `environment.path_outside_workspace`.
 */
export async function openConfinedEnvironment(
  options: ConfinedEnvironmentOptions,
): Promise<ExecutionEnvironment | undefined> {
  assertKnownOptions(options, CONFINED_OPTIONS);
  const workspace = await openWorkspace(options.root);
  const paths = prepareConfinedPaths(workspace.real, options);
  try {
    const containment = await openProcessNamespaces(options.env ?? {}, processTimes(options), paths.mounts);
    if (containment !== undefined) return new ConfinedEnvironment(localParts(workspace, options, containment), paths);
  } catch (error) {
    paths[Symbol.dispose]();
    throw error;
  }
  paths[Symbol.dispose]();
  return undefined;
}

class ConfinedEnvironment extends LocalEnvironment {
  readonly #paths: Disposable;

  constructor(parts: LocalEnvironmentParts, paths: Disposable) {
    super(parts);
    this.#paths = paths;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.#paths[Symbol.dispose]();
  }
}
