import type { ExecutionEnvironment, SessionInput } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import { startSession } from "@switchyard/runner";
import type { Permissions } from "../approval/plan-permissions.ts";
import { isEngineFile, readEngineFile } from "../engine/engine-file.ts";
import { environmentChoiceOf, toEnvironmentConfig, withSignal } from "../environment/environment-config.ts";
import { isKeptForGood } from "../environment/kept-environment.ts";
import { noteMissingRepository } from "../environment/note-missing-repository.ts";
import { historyOf } from "../history/history-store.ts";
import { readMcpConfig } from "../mcp/read-mcp-config.ts";
import { openEngine } from "../model/open-engine.ts";
import type { OpenedEngine } from "../model/opened-engine.ts";
import { openBrokerStore } from "../store/open-run-store.ts";
import { ProjectCode } from "../trust/project-code.ts";
import { skillsFor } from "../trust/skills-for.ts";
import type { World } from "../world/world.ts";
import { limitsOfRun } from "./limits-of-run.ts";
import type { StartPrepared } from "./present-session.ts";
import { readOutputSchema } from "./read-output-schema.ts";
import type { RunOptions } from "./run-options.ts";
import { toSettings } from "./run-settings.ts";

/** A run of which everything is known but its engine. */
export interface PlannedRun {
  /** What it is asked to do, and where. */
  readonly input: SessionInput;
  /** Folder with the run folders. */
  readonly state: string;
  /** Its id. */
  readonly runId: string;
  /** Folder that its worktree was made for, if it has one. */
  readonly worktreeOf?: string | undefined;
  /** What it may do. */
  readonly permissions: Permissions;
  /** MCP servers beside those of the options: of whoever asks for the run. */
  readonly mcpServers?: McpServers | undefined;
  /** Wraps the environment that its engine works in. */
  readonly wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /** Name of the command, for messages. */
  readonly command: string;
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

/** Opens what a run needs. Rejects with what keeps it from starting; nothing has run then. */
export async function prepareRun(world: World, options: RunOptions, planned: PlannedRun): Promise<PreparedRun> {
  const { input, state, runId, command } = planned;
  const { worktreeOf } = planned;
  const environment = { ...environmentChoiceOf(options), workspace: input.workspace };
  const isWorkspaceGiven = options.workspace !== undefined;
  const config = toEnvironmentConfig(world, environment, { command, isWorkspaceGiven, stateDirectory: state });
  await noteMissingRepository(world, environment);
  const { approval, askUser, choice } = planned.permissions;
  const mcp = options.mcpConfig === undefined ? undefined : await readMcpConfig(world, options.mcpConfig);
  const servers = { ...mcp?.servers, ...planned.mcpServers };
  const mcpServers = Object.keys(servers).length === 0 ? undefined : servers;
  const skills = await skillsFor(world, environment, options.trust);
  const chosen = { ...options, model: input.model, approval, askUser, skills };
  const file = isEngineFile(options.engine) ? await readEngineFile(world, options.engine) : undefined;
  // Code of packages runs here, and an agent may have changed it since the folder was trusted: said for each run.
  const trustedProject = options.trustWorkspace === true ? input.workspace : undefined;
  const code = new ProjectCode();
  const engineChoice = { ...chosen, trustedProject, code, mcpServers, engineDocument: file?.document };
  const opened = code.bind(await openEngine(world, engineChoice));
  const output = options.outputSchema === undefined ? undefined : await readOutputSchema(world, options.outputSchema);
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
        deps: historyOf(world, options),
        environment: withSignal(config, hooks.signal),
        wrapEnvironment: planned.wrapEnvironment,
        store: await openBrokerStore(world, options),
        stateDirectory: state,
        settings: toSettings({ ...options, ...kept, approval: choice, askUser, environment, worktreeOf }),
      }),
  };
}
