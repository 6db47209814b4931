import type { Envelope, SessionHandle, SessionReport, UserPrompter } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { exitCodeOf } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";
import { prepareRun, type RunTask, withClaimedRun } from "../run/prepare-run.ts";
import type { RunCommandOptions } from "../run/run-command-options.ts";

/** Task that a client requests over a protocol such as ACP or MCP. */
export interface Task extends RunTask {
  /**
   * Called with every event of the run. A rejection means that the client has disconnected, so the run is interrupted.
   */
  readonly onEvent: (envelope: Envelope) => void | Promise<void>;
  /** Function that answers the run's approval questions. Default: calls that need approval are denied. */
  readonly userPrompter?: UserPrompter | undefined;
  /** Signal that interrupts the run. */
  readonly signal: AbortSignal;
}

const NOBODY: UserPrompter = { askUser: () => Promise.reject(new EngineError("prompt.unavailable")) };

/** Delivers events to the client. If the client has disconnected, interrupts the run and waits until the run ends. */
async function deliverEvents(handle: SessionHandle, { onEvent }: Task, interrupt: () => void): Promise<void> {
  let isConnected = true;
  for await (const envelope of handle.events(handle.startSeq)) {
    if (!isConnected) continue;
    try {
      await onEvent(envelope);
    } catch {
      isConnected = false;
      interrupt();
    }
  }
}

/** Runs a task to its end, with the same behaviour as the command `run`. Rejects with errors that prevent the start. */
export async function performTask(
  context: CommandContext,
  options: RunCommandOptions,
  task: Task,
): Promise<SessionReport> {
  const { signal } = task;
  const headless = { ...options, askUser: false };
  let report: SessionReport | undefined;
  await withClaimedRun({ context, options: headless }, task, async (there, claimed) => {
    const { start } = await prepareRun(there, headless, claimed);
    const handle = await start({
      signal: new AbortController().signal,
      onError: () => {},
      userPrompter: task.userPrompter ?? NOBODY,
    });
    const interrupt = (): void => handle.interrupt({ cause: "user_cancel" });
    signal.addEventListener("abort", interrupt, { once: true });
    if (signal.aborted) interrupt();
    try {
      await deliverEvents(handle, task, interrupt);
      report = await handle.result;
      return exitCodeOf(report);
    } finally {
      signal.removeEventListener("abort", interrupt);
    }
  });
  if (report === undefined) throw new EngineError("run.no_result");
  return report;
}
