import { EngineError } from "@switchyard/contracts";
import type { DirectCause, OpenedEngine } from "@switchyard/engine-catalog";
import type { EnvironmentConfig } from "@switchyard/environment";
import { defaultEnvironment, type EnvironmentOptions } from "@switchyard/settings";
import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";

/** Environment options of a run, and whether the user chose the environment. */
export interface ChosenEnvironment extends EnvironmentOptions {
  /** Whether the environment is the default because the user chose none. Default: false. */
  isDefaultEnvironment?: boolean | undefined;
}

/** Selects the default environment if the user chose none. Without a terminal, the default is a sandbox. */
export function withDefaultEnvironment<T extends ChosenEnvironment>(context: CommandContext, options: T): T {
  if (options.env !== undefined) return options;
  return { ...options, env: defaultEnvironment({ isAttended: hasPerson(context) }), isDefaultEnvironment: true };
}

/** Prints a note if a run that has started works in a sandbox that the user did not choose. */
export function noteSandbox(
  { stderr }: CommandContext,
  { isDefaultEnvironment, env, envNetwork }: ChosenEnvironment,
): void {
  if (isDefaultEnvironment !== true || env !== "sandbox") return;
  const network = envNetwork === undefined || envNetwork === "none" ? " without a network" : "";
  stderr.write(
    `note: Without a terminal, commands run in a sandbox${network}. --env selects another environment, such as --env local.\n`,
  );
}

/**
 * Throws `usage.invalid` if the engine cannot reach its models: it calls them itself, but runs in the default
 * environment, a sandbox without a network.
 */
export function assertReachesModels(
  { modelAccess, directCause, model, engineName = "engine" }: DirectEngine,
  { isDefaultEnvironment }: ChosenEnvironment,
  { config, command }: { readonly config: EnvironmentConfig; readonly command: string },
): void {
  if (isDefaultEnvironment !== true || config.type !== "sandbox" || (config.network ?? "none") !== "none") return;
  if (directCause === undefined) return;
  throw usageError(
    `The engine ${engineName} calls models without the model gateway, and the default environment without a terminal is a sandbox without a network. Model access: ${modelAccess}. ${remedyOf(directCause, { engineName, model })}`,
    command,
  );
}

type DirectEngine = Pick<OpenedEngine, "modelAccess" | "directCause" | "engineName" | "model">;

/** Returns what the user can do so that the engine reaches its models. */
function remedyOf(cause: DirectCause, { engineName, model }: Pick<DirectEngine, "engineName" | "model">): string {
  switch (cause) {
    case "switched_off":
      return "Omit --direct, and direct: true in your settings, so that the engine uses the gateway, or add --env local.";
    case "stored_login":
      return "The login is stored in the home folder, which is hidden in a sandbox. Add --env local.";
    case "no_key":
      return "Set an API key of the engine's model provider, so that the engine uses the gateway, or add --env local to use a login of the engine.";
    case "not_redirectable":
      // OpenCode can be redirected to the model gateway if its model reference names a provider.
      return engineName === "opencode" && model === undefined
        ? "Name the model's provider, such as --model anthropic/MODEL, so that the engine uses the gateway, or add --env local."
        : "Add --env local.";
  }
}

/**
 * Converts the error of a sandbox that cannot be created to an error that names the alternatives, if the user did not
 * choose the sandbox. Returns other errors unchanged.
 */
export function explainUnavailable(error: unknown, { isDefaultEnvironment }: ChosenEnvironment): unknown {
  if (isDefaultEnvironment !== true || !EngineError.is(error, "environment.unavailable")) return error;
  return new EngineError(
    "environment.default_unavailable",
    { problem: String(error.details["problem"]) },
    { cause: error },
  );
}
