import type { SessionInput } from "@switchyard/contracts";
import { withHistory } from "@switchyard/runner";
import { environmentNameOf } from "@switchyard/settings";
import { showWait } from "@switchyard/terminal";
import { withDefaultMode } from "../approval/default-mode.ts";
import type { CommandContext } from "../context/command-context.ts";
import { withDefaultEnvironment } from "../environment/default-environment.ts";
import { usageError } from "../program/usage-error.ts";
import { buildSessionInput } from "./build-session-input.ts";
import { prepareRun, withClaimedRun } from "./prepare-run.ts";
import type { StartPrepared } from "./prepared-session.ts";
import { presentSession } from "./present-session.ts";
import type { RunCommandOptions } from "./run-command-options.ts";

/**
 * Runs a task, shows its progress and reports the result. Resolves with the exit code. Rejects if the run cannot start.
 */
export async function executeRun(context: CommandContext, typed: RunCommandOptions): Promise<number> {
  const options = await withDefaultMode(context, withDefaultEnvironment(context, typed));
  const isOnward = options.from !== undefined || options.continue === true;
  if (!isOnward) return executeInput(context, options, await buildSessionInput(context, options));
  if (options.input !== undefined)
    throw usageError("--continue and --from require a prompt and cannot be used with --input.", "run");
  if (options.prompt.trim() === "")
    throw usageError("--continue and --from require a prompt with the next task.", "run");
  const { findEarlierRun } = await import("../history/find-earlier-run.ts");
  const earlier = await findEarlierRun(context, options);
  const input = withHistory(await buildSessionInput(context, options), earlier);
  const model = options.model ?? earlier?.request.input.model ?? input.model;
  const onward = { ...options, ...(earlier === undefined ? {} : { forkedFrom: earlier.runId, patch: earlier.patch }) };
  return executeInput(context, onward, model === undefined ? input : { ...input, model });
}

/** Runs a session input, shows its progress and reports the result. Resolves with the exit code. */
export async function executeInput(
  context: CommandContext,
  options: RunCommandOptions,
  input: SessionInput,
): Promise<number> {
  return await withClaimedRun({ context, options }, { input, command: "run" }, (there, claimed) =>
    presentSession(there, options, async () => {
      const prepared = await prepareRun(there, options, claimed);
      const opening = startLabel(environmentNameOf(options));
      const start: StartPrepared = (hooks) => showWait(there, opening, prepared.start(hooks));
      return { ...prepared, ...claimed.permissions, start, origin: claimed.input.workspace };
    }),
  );
}

function startLabel(environment: string): string {
  if (environment === "local") return "Starting the run";
  const download = environment.startsWith("docker:") ? "; a missing image is downloaded first" : "";
  return `Starting the run in ${environment}${download}`;
}
