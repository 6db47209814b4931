import { serveAcp } from "@switchyard/protocol-server/acp";
import { environmentNameOf, isPermissionMode, PERMISSION_MODES, type PermissionMode } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { createStopSignal } from "../task/stop-signal.ts";
import { createTaskHost } from "../task/task-host.ts";
import type { TaskOptions } from "../task/task-options.ts";

/** Environments in which files have the same paths as for the editor, which runs on this machine. */
const LOCAL_ENVIRONMENTS: ReadonlySet<string> = new Set(["local", "sandbox"]);

/** Serves an editor over ACP until the editor disconnects. Resolves with the exit code. */
export async function executeAcp(context: CommandContext, options: TaskOptions): Promise<number> {
  const stop = createStopSignal(context);
  const mode = initialMode(options);
  // The approval mode of `--approve` applies until the editor selects another mode.
  const host = createTaskHost(context, options.approve === undefined ? { ...options, mode } : options, "acp");
  await serveAcp(context.openWire(), {
    ...{ host, mode, stop, version: context.version },
    stateDirectory: stateDirectory(context, options.state),
    usesEditorFiles: LOCAL_ENVIRONMENTS.has(environmentNameOf(options)),
  });
  return stop.aborted ? 130 : 0;
}

/**
 * Returns the initial permission mode of sessions, which is the mode given on the command line. Default: `ask`, because
 * the user of an editor can answer questions.
 */
function initialMode({ mode, approve }: TaskOptions): PermissionMode {
  if (mode !== undefined) return mode;
  const named = Object.entries(PERMISSION_MODES).find(([, means]) => means === approve)?.[0];
  return isPermissionMode(named) ? named : "ask";
}
