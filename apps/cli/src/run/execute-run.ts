import { startSession } from "@switchyard/runner";
import { planPermissions } from "../approval/plan-permissions.ts";
import { isEngineFile, readEngineFile } from "../engine/engine-file.ts";
import { toEnvironmentConfig, withSignal } from "../environment/environment-config.ts";
import { isKeptForGood } from "../environment/kept-environment.ts";
import { readMcpConfig } from "../mcp/read-mcp-config.ts";
import { maskerOf, openEngine } from "../model/open-engine.ts";
import type { World } from "../world/world.ts";
import { buildSessionInput } from "./build-session-input.ts";
import { presentSession, type StartPrepared } from "./present-session.ts";
import type { RunOptions } from "./run-options.ts";
import { toSettings } from "./run-settings.ts";
import { stateDirectory } from "./state-directory.ts";

/** Runs a task, shows it and reports it. Resolves with the exit code; rejects with what kept the run from starting. */
export async function executeRun(world: World, options: RunOptions): Promise<number> {
  const input = await buildSessionInput(world, options);
  const state = stateDirectory(world, options.state);
  const { env: place, envNetwork: network, envMemory: memory } = options;
  const environment = { place, network, memory, workspace: input.workspace };
  const isWorkspaceGiven = options.workspace !== undefined;
  const config = toEnvironmentConfig(world, environment, { command: "run", isWorkspaceGiven, stateDirectory: state });
  const { approval, askUser, ...questions } = await planPermissions(world, options);
  return await presentSession(world, options, async () => {
    const mcp = options.mcpConfig === undefined ? undefined : await readMcpConfig(world, options.mcpConfig);
    const chosen = { ...options, model: input.model, approval, askUser };
    const file = isEngineFile(options.engine) ? await readEngineFile(world, options.engine) : undefined;
    const opened = await openEngine(world, { ...chosen, mcpServers: mcp?.servers, engineDocument: file?.document });
    const kept = { mcpConfig: mcp?.kept, engineFile: file?.kept };
    const start: StartPrepared = (hooks) =>
      startSession(input, {
        ...opened,
        ...hooks,
        environment: withSignal(config, hooks.signal),
        stateDirectory: state,
        settings: toSettings({ ...options, ...kept, approval: questions.choice, askUser, environment }),
      });
    const isResumable = isKeptForGood(environment);
    return { start, masker: () => maskerOf(opened), isResumable, origin: input.workspace, ...questions };
  });
}
