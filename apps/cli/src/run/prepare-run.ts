import type { ExecutionEnvironment, SessionInput } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import { createRunId, startSession } from "@switchyard/runner";
import { isEngineFile, ProjectCode } from "@switchyard/settings";
import { type Permissions, planPermissions } from "../approval/plan-permissions.ts";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
import { toEnvironmentConfig, withSignal } from "../environment/environment-config.ts";
import { isKeptForGood } from "../environment/kept-environment.ts";
import { noteMissingRepository } from "../environment/note-missing-repository.ts";
import { historyOf } from "../history/history-store.ts";
import { readMcpConfig } from "../mcp/read-mcp-config.ts";
import { openEngine } from "../model/open-engine.ts";
import type { OpenedEngine } from "../model/opened-engine.ts";
import { openBrokerStore } from "../store/open-run-store.ts";
import { skillsFor } from "../trust/skills-for.ts";
import { withWorkspace } from "../worktree/claim-workspace.ts";
import { limitsOfRun } from "./limits-of-run.ts";
import type { StartPrepared } from "./present-session.ts";
import { readOutputSchema } from "./read-output-schema.ts";
import type { RunOptions } from "./run-options.ts";
import { toSettings } from "./run-settings.ts";
import { stateDirectory } from "./state-directory.ts";

/** Task of a run, and what its caller adds to the options. */
export interface RunTask {
  /** Session input. */
  readonly input: SessionInput;
  /** Id of the run. Default: a new one. */
  readonly runId?: string | undefined;
  /** MCP servers of the caller, in addition to those of the options. */
  readonly mcpServers?: McpServers | undefined;
  /** Wraps the environment that the engine works in. */
  readonly wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /** Name of the command, for messages. */
  readonly command: string;
}

/** Run whose workspace is claimed. */
export interface ClaimedRun extends RunTask {
  /** Id of the run. */
  readonly runId: string;
  /** Folder that stores the runs. */
  readonly state: string;
  /** Folder that its worktree was created for. `undefined` without a worktree. */
  readonly worktreeOf?: string | undefined;
  /** Permissions of the engine. */
  readonly permissions: Permissions;
}

/** A run that can be started. */
export interface PreparedRun {
  /** Starts it. */
  readonly start: StartPrepared;
  /** Its engine. */
  readonly opened: OpenedEngine;
  /** Whether its files outlive this process. */
  readonly isResumable: boolean;
}

/**
 * Claims the workspace of a run and calls `work` while it is claimed, with the context and the run as they are in the
 * claimed workspace, such as a worktree. Resolves with the exit code; rejects with `workspace.*`, `config.invalid` and the
 * errors of `work`.
 */
export async function withClaimedRun(
  { context, options }: { readonly context: CommandContext; readonly options: RunOptions },
  task: RunTask,
  work: (context: CommandContext, run: ClaimedRun) => Promise<number>,
): Promise<number> {
  const state = stateDirectory(context, options.state);
  const permissions = await planPermissions(context, options);
  const { runId = createRunId(context.now()), command, input } = task;
  const folder = input.workspace ?? context.workingDirectory;
  const isReadOnly = permissions.choice.approve === "plan";
  const claim = { workspace: folder, state, runId, isReadOnly, command, options };
  const worktreeOf = options.worktree === true ? folder : undefined;
  return await withWorkspace(context, claim, (workspace, there) =>
    work(there, { ...task, input: { ...input, workspace }, runId, state, permissions, worktreeOf }),
  );
}

/** Opens what a run needs, before anything runs. Rejects with the errors that keep the run from starting. */
export async function prepareRun(
  context: CommandContext,
  options: RunOptions,
  claimed: ClaimedRun,
): Promise<PreparedRun> {
  const { input, state, runId, command } = claimed;
  const { worktreeOf } = claimed;
  const environment = { ...options, workspace: input.workspace };
  const isWorkspaceGiven = options.workspace !== undefined;
  const config = toEnvironmentConfig(context, environment, { command, isWorkspaceGiven, stateDirectory: state });
  await noteMissingRepository(context, environment);
  const { approval, askUser, choice } = claimed.permissions;
  const mcp = options.mcpConfig === undefined ? undefined : await readMcpConfig(context, options.mcpConfig);
  const servers = { ...mcp?.servers, ...claimed.mcpServers };
  const mcpServers = Object.keys(servers).length === 0 ? undefined : servers;
  const skills = await skillsFor(context, environment, options.trust);
  const chosen = { ...options, model: input.model, approval, askUser, skills };
  const file = isEngineFile(options.engine) ? await readEngineFile(context, options.engine) : undefined;
  // Code of packages runs here, and an agent may have changed it since the folder was trusted: said for each run.
  const trustedProject = options.trustWorkspace === true ? input.workspace : undefined;
  const code = new ProjectCode();
  const engineChoice = { ...chosen, trustedProject, code, mcpServers, engineDocument: file?.document };
  const opened = code.bind(await openEngine(context, engineChoice));
  const output = options.outputSchema === undefined ? undefined : await readOutputSchema(context, options.outputSchema);
  const kept = { mcpConfig: mcp?.kept, engineFile: file?.kept, projectCode: code.digest };
  return {
    opened,
    isResumable: isKeptForGood(environment),
    start: async (hooks) =>
      startSession(input, {
        ...opened,
        ...hooks,
        ...limitsOfRun(options, opened.retry),
        output,
        keepRawOutput: options.keepRawOutput,
        runId,
        deps: historyOf(context, options),
        environment: withSignal(config, hooks.signal),
        wrapEnvironment: claimed.wrapEnvironment,
        store: await openBrokerStore(context, options),
        stateDirectory: state,
        settings: toSettings({ ...options, ...kept, approval: choice, askUser, environment, worktreeOf }),
      }),
  };
}
