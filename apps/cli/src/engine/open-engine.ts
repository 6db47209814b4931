import { EngineError } from "@switchyard/contracts";
import type { EngineHost, EngineRequest, OpenedEngine } from "@switchyard/engine-catalog";
import { RUNTIME_PREFIX, SETTING_NAMES, SETTINGS } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";

/** Returns the functions and data with which engines are opened. Warnings are printed to standard error. */
export function engineHostOf(context: CommandContext): EngineHost {
  const { env, importModule, stderr, version, now } = context;
  return {
    ...{ env, importModule, now, createdBy: `@switchyard/cli ${version}` },
    // Read only when an engine needs it, because the current folder may have been deleted.
    get workingDirectory() {
      return context.workingDirectory;
    },
    get homeDirectory() {
      return context.homeDirectory;
    },
    onWarning: (problem) => stderr.write(`warning: ${neutraliseControls(problem)}\n`),
  };
}

/**
 * Opens an engine by its name. Error messages name command-line options. Rejects with `engine.not_found`, `model.*` and
 * `config.invalid` before any request is sent to a provider.
 */
export async function openEngine(context: CommandContext, request: EngineRequest): Promise<OpenedEngine> {
  if (request.allowGitPush === true && !request.engine.startsWith(RUNTIME_PREFIX)) {
    throw usageError("--allow-git-push requires a runtime package: --engine runtime:ID.", "run");
  }
  const catalog = await import("@switchyard/engine-catalog");
  try {
    return await catalog.openEngine(engineHostOf(context), request);
  } catch (error) {
    throw withOptionNames(error, request);
  }
}

function withOptionNames(error: unknown, { trustedProject }: EngineRequest): unknown {
  if (EngineError.is(error, "config.invalid")) {
    const { field } = error.details;
    const setting = SETTING_NAMES.find((name) => name === field);
    const flag = field === "allowedModels" ? "--allow-model" : setting && SETTINGS[setting].flag;
    if (flag === undefined) return error;
    return new EngineError("config.invalid", { ...error.details, field: flag }, { cause: error });
  }
  if (!EngineError.is(error, "engine.not_found") || trustedProject !== undefined) return error;
  const { engine, known, packageName } = error.details;
  const packages =
    packageName === undefined
      ? "engines from the workspace's packages"
      : `that of the package ${packageName}, which is not trusted,`;
  const names = [...(Array.isArray(known) ? known : []), `and ${packages} with --trust-workspace`];
  return new EngineError("engine.not_found", { engine, known: names }, { cause: error });
}
