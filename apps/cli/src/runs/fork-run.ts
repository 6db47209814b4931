import { EngineError } from "@switchyard/contracts";
import { withHistory } from "@switchyard/runner";
import { assertUnchanged, fromSettings, type RunSettings, readNamedFile } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { findEarlierRun } from "../history/find-earlier-run.ts";
import { readTask, type TypedTask } from "../input/task-text.ts";
import { usageError } from "../program/usage-error.ts";
import { executeInput } from "../run/execute-run.ts";
import type { OutputOptions } from "../run/output-options.ts";
import type { RunCommandOptions } from "../run/run-command-options.ts";
import type { WorkspaceOptions } from "../worktree/claim-workspace.ts";

/** Options of the command `runs fork`. */
export interface ForkOptions extends OutputOptions, WorkspaceOptions, TypedTask {
  /** Id of the run to fork, or a unique prefix of the id. */
  id: string;
  /** Prompt of the new run. Empty: the new run repeats the task of the forked run. */
  prompt: string;
  /** Model of the new run. Default: the model of the forked run. */
  model?: string;
  /** API key that takes precedence over environment variables. */
  apiKey?: string;
}

/**
 * Starts a new run that continues the conversation of an earlier run, or repeats its task. Resolves with the exit code.
 * Rejects with errors that prevent the start.
 */
export async function forkRun(context: CommandContext, options: ForkOptions): Promise<number> {
  const earlier = await findEarlierRun(context, { ...options, from: options.id });
  if (earlier === undefined) throw new EngineError("run.not_found", { runId: options.id, stateDirectory: "" });
  const { runId, request } = earlier;
  const settings = fromSettings(request);
  if (settings.isDemo === true) throw new EngineError("run.not_resumable", { runId, problem: "it is a demo" });
  const prompt = await readTask(context, options);
  if (prompt === "" && options.takesPiped === true) throw usageError("Standard input is empty.", "runs fork");
  const model = options.model ?? request.input.model;
  const { session_id: _, ...rest } = request.input;
  const input = {
    ...rest,
    workspace: settings.environment?.workspace ?? rest.workspace ?? context.workingDirectory,
    ...(model === undefined ? {} : { model }),
  };
  const next = withHistory({ ...input, messages: [{ role: "user", content: prompt }] }, earlier);
  const run: RunCommandOptions = {
    ...(await runOptionsOf(context, settings, earlier.engine)),
    ...options,
    forkedFrom: runId,
  };
  if (prompt === "") return executeInput(context, run, input);
  return executeInput(context, { ...run, patch: earlier.patch }, next);
}

/**
 * Converts settings that are stored with a run to options of the command `run`. Rejects with `config.invalid` if a file
 * that they refer to has changed.
 */
async function runOptionsOf(
  context: CommandContext,
  settings: RunSettings,
  engine: string,
): Promise<RunCommandOptions> {
  const { baseUrl, fallbackModels, reasoningEffort, web, webSearch, toolNames, mcpStartWaitMs, mode } = settings;
  const { allowedModels, direct, askUser, approvalChoice = {}, environment } = settings;
  const files = [["--mcp-config", settings.mcpConfig] as const, ["--engine", settings.engineFile] as const];
  for (const [option, stored] of files) {
    if (stored !== undefined) assertUnchanged((await readNamedFile(context, stored.path)).reference, stored, option);
  }
  const { workspace: _, ...environmentOptions } = environment ?? {};
  const { approve, allow = [], deny = [] } = approvalChoice;
  return {
    ...{ prompt: "", engine: settings.engineFile?.path ?? engine, allow: [...allow], deny: [...deny] },
    ...{ baseUrl, fallbackModels, allowedModels, direct, reasoningEffort, mode },
    ...{ web, webSearch, toolNames, mcpStartWaitMs },
    ...(approve === undefined ? {} : { approve }),
    ...(askUser === undefined ? {} : { askUser }),
    ...(settings.mcpConfig === undefined ? {} : { mcpConfig: settings.mcpConfig.path }),
    ...environmentOptions,
  };
}
