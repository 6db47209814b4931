import { resolve } from "node:path";
import type { EnvironmentConfig } from "@switchyard/environment";
import {
  type EnvironmentProblem,
  type EnvironmentSelection,
  environmentConfigOf,
  environmentNameOf,
  environmentProblem,
} from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";

/** Details of the command for which `toEnvironmentConfig` converts options. */
export interface EnvironmentRequester {
  /** Name of the command, for messages. */
  command: string;
  /** Whether the workspace was given on the command line. Otherwise, the workspace is the current folder. */
  isWorkspaceGiven: boolean;
  /** State folder, in which runs are stored. */
  stateDirectory?: string | undefined;
}

/**
 * Converts environment options to an environment configuration. Throws `usage.invalid` if an option does not apply to
 * the selected environment.
 */
export function toEnvironmentConfig(
  context: CommandContext,
  selection: EnvironmentSelection,
  { command, isWorkspaceGiven, stateDirectory }: EnvironmentRequester,
): EnvironmentConfig {
  const problem = environmentProblem(selection, { isWorkspaceGiven });
  if (problem !== undefined) throw usageError(describe(problem, environmentNameOf(selection)), command);
  const root = resolve(context.workingDirectory, selection.workspace ?? ".");
  return environmentConfigOf(selection, root, { env: context.env, stateDirectory });
}

function describe(problem: EnvironmentProblem, named: string): string {
  switch (problem.kind) {
    case "name":
      return `--env ${named} is not an environment. ${problem.problem}`;
    case "setting":
      return `--${problem.setting.replace("_", "-")} is for --env ${problem.appliesTo.join(" or ")}, not ${named}.`;
    case "network":
      return `--env-network is ${problem.allowed.join(" or ")} for a sandbox.`;
    case "list":
      return `The list of --env-network cannot be used: ${problem.problem}.`;
    default:
      return `Append the folder to the environment instead of --workspace: --env ${named}${problem.example}.`;
  }
}
