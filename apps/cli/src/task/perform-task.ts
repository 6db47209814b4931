import type {
  Envelope,
  ExecutionEnvironment,
  SessionHandle,
  SessionInput,
  SessionReport,
  UserPrompter,
} from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import { createRunId } from "@switchyard/runner";
import { planPermissions } from "../approval/plan-permissions.ts";
import { exitCodeOf } from "../run/exit-code-of.ts";
import { prepareRun } from "../run/prepare-run.ts";
import type { RunOptions } from "../run/run-options.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { withWorkspace } from "../worktree/claim-workspace.ts";
import type { World } from "../world/world.ts";

/** A task that somebody asks for over a protocol. */
export interface Task {
  /** Id of its run; a new one by default. */
  readonly runId?: string | undefined;
  /** What is to be done, and where. */
  readonly input: SessionInput;
  /** MCP servers of whoever asks. */
  readonly mcpServers?: McpServers | undefined;
  /** Told of every event. */
  readonly onEvent: (envelope: Envelope) => void | Promise<void>;
  /** Answers the questions about permissions; what would be asked about is denied without. */
  readonly userPrompter?: UserPrompter | undefined;
  /** Wraps the environment that its engine works in. */
  readonly wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /** Interrupts the run cleanly when it fires. */
  readonly signal: AbortSignal;
  /** Name of the command, for messages. */
  readonly command: string;
}

const NOBODY: UserPrompter = { askUser: () => Promise.reject(new EngineError("prompt.unavailable")) };

/** Whoever cannot be told any more is gone, and the run ends; it is waited for all the same. */
async function tell(handle: SessionHandle, { onEvent }: Task, interrupt: () => void): Promise<void> {
  let isHeard = true;
  for await (const envelope of handle.events(handle.startSeq)) {
    if (!isHeard) continue;
    try {
      await onEvent(envelope);
    } catch {
      isHeard = false;
      interrupt();
    }
  }
}

/** Runs a task to its end, as `run` would with these options. Rejects with what kept it from starting. */
export async function performTask(world: World, options: RunOptions, task: Task): Promise<SessionReport> {
  const { command, signal, mcpServers, wrapEnvironment } = task;
  const state = stateDirectory(world, options.state);
  const permissions = await planPermissions(world, { ...options, askUser: false });
  const runId = task.runId ?? createRunId(world.now());
  const { env: place, worktree, worktreeSubmodules, shareWorkspace } = options;
  const isReadOnly = permissions.choice.approve === "plan";
  const claim = {
    workspace: task.input.workspace ?? world.workingDirectory,
    place,
    state,
    runId,
    worktree,
    worktreeSubmodules,
    shareWorkspace,
  };
  let report: SessionReport | undefined;
  await withWorkspace(world, { ...claim, isReadOnly, command }, async (workspace, there) => {
    const input = { ...task.input, workspace };
    const worktreeOf = worktree === true ? claim.workspace : undefined;
    const planned = { input, state, runId, permissions, mcpServers, wrapEnvironment, command, worktreeOf };
    const { start } = await prepareRun(there, options, planned);
    const handle = await start({
      signal: new AbortController().signal,
      onError: () => {},
      userPrompter: task.userPrompter ?? NOBODY,
    });
    const interrupt = (): void => handle.interrupt({ cause: "user_cancel" });
    signal.addEventListener("abort", interrupt, { once: true });
    if (signal.aborted) interrupt();
    try {
      await tell(handle, task, interrupt);
      report = await handle.result;
      return exitCodeOf(report);
    } finally {
      signal.removeEventListener("abort", interrupt);
    }
  });
  if (report === undefined) throw new EngineError("run.no_result");
  return report;
}
