import type { ExecutionEnvironment, SessionInput } from "@switchyard/contracts";
import { announceRun, type OpenedEngine } from "@switchyard/engine-catalog";
import type { McpPool, McpServers } from "@switchyard/mcp";
import { createRunId, historyOf, startSession } from "@switchyard/runner";
import {
  hasPersistentFiles,
  isEngineFile,
  limitsOfRun,
  missingRepository,
  type Permissions,
  ProjectCode,
  toSettings,
  withSignal,
} from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import { planPermissions } from "../approval/plan-permissions.ts";
import { budgetOfUser } from "../budget/open-budgets.ts";
import type { CommandContext } from "../context/command-context.ts";
import { openConfiguredEngine } from "../engine/open-configured-engine.ts";
import { assertReachesModels, explainUnavailable, noteSandbox } from "../environment/default-environment.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import { openBrokerStore, openRunStore } from "../store/open-run-store.ts";
import { skillsFor } from "../trust/skills-for.ts";
import { withWorkspace } from "../worktree/claim-workspace.ts";
import type { StartPrepared } from "./prepared-session.ts";
import { readOutputSchema } from "./read-output-schema.ts";
import type { RunCommandOptions } from "./run-command-options.ts";
import { stateDirectory } from "./state-directory.ts";

/** Task of a run, with data that does not come from command-line options. */
export interface RunTask {
  /** Session input. */
  readonly input: SessionInput;
  /** Id of the run. Default: a newly generated id. */
  readonly runId?: string | undefined;
  /** MCP servers that a protocol client passes, in addition to those in the command-line options. */
  readonly mcpServers?: McpServers | undefined;
  /** Pool that keeps the MCP servers open after the run. */
  readonly mcpPool?: McpPool | undefined;
  /** Wraps the environment that the engine works in. */
  readonly wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /** Name of the command, for messages. */
  readonly command: string;
}

/** Run for which a workspace is reserved. */
export interface ClaimedRun extends RunTask {
  /** Id of the run. */
  readonly runId: string;
  /** Folder that stores the runs. */
  readonly state: string;
  /** Folder from which the run's worktree was created. `undefined` without a worktree. */
  readonly worktreeOf?: string | undefined;
  /** Permissions of the engine. */
  readonly permissions: Permissions;
}

/** A run that can be started. */
export interface PreparedRun {
  /** Starts the run. */
  readonly start: StartPrepared;
  /** Engine of the run. */
  readonly opened: OpenedEngine;
  /** Whether the run's files remain after this process ends, so that the run can be resumed. */
  readonly isResumable: boolean;
}

/**
 * Reserves the workspace of a run until `work` has ended. `work` receives the context and the run for the reserved
 * workspace, which may be a new worktree. Resolves with the exit code. Rejects with `workspace.*`, `config.invalid` and
 * the errors of `work`.
 */
export async function withClaimedRun(
  { context, options }: { readonly context: CommandContext; readonly options: RunCommandOptions },
  task: RunTask,
  work: (context: CommandContext, run: ClaimedRun) => Promise<number>,
): Promise<number> {
  const state = stateDirectory(context, options.state);
  const permissions = await planPermissions(context, options);
  const { runId = createRunId(context.now()), command, input } = task;
  const folder = input.workspace ?? context.workingDirectory;
  const isReadOnly = permissions.approvalChoice.approve === "plan";
  const claim = { workspace: folder, state, runId, isReadOnly, command, options };
  const worktreeOf = options.worktree === true ? folder : undefined;
  return await withWorkspace(context, claim, (workspace, there) =>
    work(there, { ...task, input: { ...input, workspace }, runId, state, permissions, worktreeOf }),
  );
}

/** Opens the engine of a run and creates its environment configuration. Rejects with errors that prevent the start. */
export async function prepareRun(
  context: CommandContext,
  options: RunCommandOptions,
  claimed: ClaimedRun,
): Promise<PreparedRun> {
  const { input, state, runId, command, worktreeOf } = claimed;
  const environment = { ...options, workspace: input.workspace };
  const isWorkspaceGiven = options.workspace !== undefined;
  const config = toEnvironmentConfig(context, environment, { command, isWorkspaceGiven, stateDirectory: state });
  await noteMissingGit(context, options, input.workspace ?? context.workingDirectory);
  const { opened, settings } = await openRunEngine(context, options, claimed);
  assertReachesModels(opened, options, { config, command });
  const output = options.outputSchema === undefined ? undefined : await readOutputSchema(context, options.outputSchema);
  if (command === "run" && options.json !== true && options.events === undefined) {
    const { approvalChoice } = claimed.permissions;
    const announced = { runId, opened, options, inputModel: input.model, approvalChoice, environment: config };
    await announceRun(context.stderr, context, { ...announced, workspace: input.workspace ?? "." });
  }
  const folders = [input.workspace, worktreeOf].flatMap((one) => one ?? []);
  return {
    opened,
    isResumable: hasPersistentFiles(environment),
    start: async (hooks) => {
      const handle = await startSession(input, {
        ...opened,
        ...hooks,
        ...limitsOfRun(options, opened.retry),
        ...(await budgetOfUser(context, options, { folders })),
        output,
        keepRawOutput: options.keepRawOutput,
        runId,
        deps: historyOf(options.forkedFrom, () => openRunStore(context, options)),
        environment: withSignal(config, hooks.signal),
        wrapEnvironment: claimed.wrapEnvironment,
        store: await openBrokerStore(context, options),
        stateDirectory: state,
        settings,
      }).catch((error: unknown) => {
        throw explainUnavailable(error, options);
      });
      noteSandbox(context, options);
      return handle;
    },
  };
}

/** Opens the engine of a run. Also resolves with the settings that are stored with the run. */
async function openRunEngine(context: CommandContext, options: RunCommandOptions, claimed: ClaimedRun) {
  const { input, permissions, worktreeOf, mcpServers, mcpPool } = claimed;
  const environment = { ...options, workspace: input.workspace };
  const code = new ProjectCode();
  const request = {
    ...{ ...options, ...permissions, model: input.model, mcpServers, mcpPool, code },
    skills: await skillsFor(context, environment, options.trust),
    // Opening an engine runs code of the project's packages, which an agent may have changed since the user's review.
    // `--trust-workspace` is therefore required for each run.
    trustedProject: options.trustWorkspace === true ? input.workspace : undefined,
  };
  const engineFile = isEngineFile(options.engine) ? options.engine : undefined;
  const files = { mcpConfig: options.mcpConfig, engineFile };
  const { opened, references } = await openConfiguredEngine(context, request, files);
  const stored = { ...options, ...permissions, ...references, projectCode: code.digest, environment, worktreeOf };
  return { opened, settings: toSettings(stored) };
}

async function noteMissingGit(context: CommandContext, options: RunCommandOptions, folder: string): Promise<void> {
  const problem = await missingRepository(options, folder);
  if (problem === undefined) return;
  context.stderr.write(`note: git does not work in the container: ${neutraliseControls(problem)}.\n`);
}
