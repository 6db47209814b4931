import { resolve } from "node:path";
import type { RunRecord, RunRequest, RunStore, StoredRun } from "@switchyard/contracts";
import type { OpenedEngine } from "@switchyard/engine-catalog";
import type { EnvironmentConfig } from "@switchyard/environment";
import { historyOf, resumeSession } from "@switchyard/runner";
import {
  assertResumable,
  type EnvironmentSelection,
  fromSettings,
  limitsOfResume,
  type Permissions,
  ProjectCode,
  type RunSettings,
  toSettings,
  withSignal,
} from "@switchyard/settings";
import { neutraliseControls, showWait } from "@switchyard/terminal";
import { variablesOfFolder } from "@switchyard/workspace";
import { planPermissions } from "../approval/plan-permissions.ts";
import { budgetOfUser } from "../budget/open-budgets.ts";
import type { CommandContext } from "../context/command-context.ts";
import { openConfiguredEngine } from "../engine/open-configured-engine.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import type { StartPrepared } from "../run/prepared-session.ts";
import { presentSession } from "../run/present-session.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { skillsFor } from "../trust/skills-for.ts";
import { withWorkspace } from "../worktree/claim-workspace.ts";
import type { ResumeOptions } from "./resume-options.ts";

/**
 * Resumes a run, shows its progress and reports the result. Resolves with the exit code. Rejects with errors that
 * prevent the run from resuming.
 */
export async function executeResume(context: CommandContext, options: ResumeOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const run = await findRun(context, store, { ...options, command: "resume" });
  const { record, request } = assertResumable(run);
  const { runId } = run;
  const settings = fromSettings(request, record);
  const state = stateDirectory(context, options.state);
  const environment = environmentOf(options, settings, request);
  const folder = resolve(context.workingDirectory, environment.workspace ?? context.workingDirectory);
  const here = { ...context, env: await variablesOfFolder(context.env, folder, { state, runId }) };
  return await resumeStopped(here, options, { store, run, record, request, settings, state, environment, folder });
}

/** Run to resume, with its storage and workspace. */
interface StoppedRun {
  readonly store: RunStore;
  readonly run: StoredRun;
  readonly record: RunRecord;
  readonly request: RunRequest;
  readonly settings: RunSettings;
  /** Folder that stores runs. */
  readonly state: string;
  readonly environment: EnvironmentSelection;
  /** Absolute path of the run's workspace on this machine. */
  readonly folder: string;
}

async function resumeStopped(context: CommandContext, options: ResumeOptions, stopped: StoppedRun): Promise<number> {
  const { run, settings, state, environment, folder } = stopped;
  const { runId } = run;
  const isWorkspaceGiven = options.workspace !== undefined;
  const requester = { command: "resume", isWorkspaceGiven, stateDirectory: state };
  const config = toEnvironmentConfig(context, environment, requester);
  const permissions = await planPermissions(context, options, settings);
  const isReadOnly = permissions.approvalChoice.approve === "plan";
  // If another process still works on the run, it holds the lock of the workspace folder, and this command does not
  // wait for that lock. Whether this process may take over the run is decided by the run's lease (the right to work on
  // the run).
  const shareWorkspace = options.shareWorkspace === true || options.takeOver === true || run.lease?.isHeld === true;
  const claimed = { env: environment.env, shareWorkspace };
  const claim = { workspace: folder, state, runId, isReadOnly, command: "resume", options: claimed };
  const present = () =>
    presentSession(context, options, async () => {
      const code = new ProjectCode(options.trustWorkspace === true ? undefined : { digest: settings.projectCode });
      const opened = await openStopped(context, options, { ...stopped, permissions, code });
      const start = starterOf(context, options, { ...stopped, opened, code, config });
      return { start, opened, isResumable: true, ...permissions };
    });
  return await withWorkspace(context, claim, present);
}

/** Opens the engine of a run. Options of the command line take precedence over the settings that are stored with it. */
async function openStopped(
  context: CommandContext,
  options: ResumeOptions,
  stopped: StoppedRun & { readonly permissions: Permissions; readonly code: ProjectCode },
): Promise<OpenedEngine> {
  const { record, request, settings, environment, folder, permissions, code } = stopped;
  const engine = {
    ...{ ...settings, ...permissions, code, engine: record.engine, apiKey: options.apiKey },
    // The workspace is trusted if `--trust-workspace` is given now, or was given at the start of the run.
    // The trust is stored outside the workspace, with a digest of the trusted code.
    trustedProject: (options.trustWorkspace ?? settings.trustWorkspace) === true ? folder : undefined,
    env: environment.env,
    model: request.input.model ?? record.model,
    baseUrl: options.baseUrl ?? settings.baseUrl,
    mcpStartWaitMs: options.mcpStartWaitMs ?? settings.mcpStartWaitMs,
    skills: await skillsFor(context, environment, options.trustWorkspace === true ? "all" : undefined),
    // A mode given on the command line replaces the stored mode; `--approve` removes it.
    mode: options.mode ?? (options.approve === undefined ? settings.mode : undefined),
  };
  const files = {
    mcpConfig: options.mcpConfig ?? settings.mcpConfig,
    engineFile: options.engine ?? settings.engineFile,
  };
  return (await openConfiguredEngine(context, engine, files)).opened;
}

/** Engine and environment with which a run is resumed. */
interface Resumption {
  readonly opened: OpenedEngine;
  readonly code: ProjectCode;
  readonly config: EnvironmentConfig;
}

/** Returns the function that resumes a run with its opened engine. */
function starterOf(context: CommandContext, options: ResumeOptions, stopped: StoppedRun & Resumption): StartPrepared {
  const { store, run, record, request, settings, state, folder, opened, code, config } = stopped;
  return async (hooks) => {
    if (options.takeOver !== true) printLeaseCheck(context, run);
    const handle = await showWait(
      context,
      `Resuming run ${run.runId}`,
      resumeSession(run.runId, {
        ...opened,
        ...hooks,
        // Settings stored with the run take precedence over the current settings files.
        retry: undefined,
        ...limitsOfResume(options, request),
        ...(await budgetOfUser(context, options, { folders: [folder] })),
        settings: renewedTrust(options, code),
        store,
        deps: historyOf(settings.forkedFrom, () => store),
        stateDirectory: state,
        environment: withSignal(config, hooks.signal),
        isMoved: options.env !== undefined,
        takeOver: options.takeOver,
        timeoutSeconds: options.timeout,
        retryForSeconds: options.retryFor,
      }),
    );
    if (options.json !== true && options.events === undefined) printResumption(context, record);
    return handle;
  };
}

/**
 * Returns the settings to store if `--trust-workspace` is given, which means that the user has reviewed the current
 * code. The next resume then accepts the same code without the option. `undefined` otherwise.
 */
function renewedTrust({ trustWorkspace }: ResumeOptions, { digest }: ProjectCode): Record<string, unknown> | undefined {
  return trustWorkspace === true && digest !== undefined
    ? toSettings({ trustWorkspace, projectCode: digest })
    : undefined;
}

/** Returns the environment given on the command line, otherwise the environment stored with the run. */
function environmentOf(
  options: ResumeOptions,
  { environment }: RunSettings,
  { input }: RunRequest,
): EnvironmentSelection {
  return {
    ...environment,
    ...(options.env === undefined ? {} : { env: options.env }),
    // The stored folder is preferred: `input.workspace` may be a path inside a container or another environment.
    workspace: options.workspace ?? environment?.workspace ?? input.workspace,
  };
}

/**
 * Prints a notice while the run's lease is checked. The check takes some seconds, because it waits to see whether
 * another process renews the lease.
 */
function printLeaseCheck({ stderr }: CommandContext, { runId, lease }: StoredRun): void {
  if (stderr.isTerminal && lease?.isHeld === true) {
    stderr.write(`Checking whether another process still works on ${runId} …\n`);
  }
}

function printResumption(context: CommandContext, { run_id, title, attempt }: RunRecord): void {
  context.stdout.write(`Resuming ${run_id} (attempt ${attempt + 1}): ${neutraliseControls(title)}\n`);
}
