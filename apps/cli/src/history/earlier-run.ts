import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import {
  EngineError,
  type RunRequest,
  type RunStore,
  type SessionInput,
  type SessionMessage,
  type StoredRun,
} from "@switchyard/contracts";
import { readExactPatch } from "@switchyard/runner";
import { neutraliseControls } from "@switchyard/terminal";
import type { GitInput } from "@switchyard/workspace";
import type { CommandContext } from "../context/command-context.ts";
import { fromSettings } from "../run/run-settings.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun, placeOfRuns } from "../runs/open-runs.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Options that select the conversation that a new run continues. */
export interface HistoryOptions extends StoreOptions {
  /** Whether to continue the latest conversation in the same folder. */
  continue?: boolean;
  /** Id of the run to continue, or a unique prefix of it. */
  from?: string;
  /** Folder to work in. */
  workspace?: string | undefined;
}

/** Run whose conversation a new run continues. */
export interface EarlierRun {
  /** Its id. */
  readonly runId: string;
  /** Name of its engine. */
  readonly engine: string;
  /** Its stored request. */
  readonly request: RunRequest;
  /** Its conversation, including tool calls and their results if its engine reported them. */
  readonly messages: readonly SessionMessage[];
  /** Session id with which its engine continues the conversation, if the engine stores conversations. */
  readonly sessionId: string | undefined;
  /** Its changes, as a patch. */
  readonly patch: GitInput;
}

/**
 * Finds the run selected by the options. `undefined` if they select none. Rejects with `run.not_found`, and with
 * `run.not_resumable` if no conversation is stored.
 */
export async function findEarlierRun(
  context: CommandContext,
  options: HistoryOptions,
): Promise<EarlierRun | undefined> {
  const store = await openRunStore(context, options);
  if (options.from !== undefined) {
    return toEarlier(await findRun(context, store, { ...options, id: options.from, command: "run" }));
  }
  if (options.continue !== true) return undefined;
  const workspace = await realPath(resolve(context.workingDirectory, options.workspace ?? "."));
  const found = await findNewest(store, workspace);
  const { run, newer } = found;
  if (run === undefined) {
    const runId = `with a conversation in ${workspace}`;
    throw new EngineError("run.not_found", { runId, stateDirectory: placeOfRuns(context, options) });
  }
  context.stderr.write(neutraliseControls(describeContinued(run, { newer, workspace })));
  return toEarlier(run);
}

/** Newer run of the folder that has no conversation to continue, and the reason. */
interface NewerRun {
  readonly runId: string;
  readonly why: string;
}

/**
 * Finds the newest run with a conversation in a folder, its git repository or their worktrees. Also returns the newer
 * runs that were skipped.
 */
async function findNewest(
  store: Pick<RunStore, "list" | "show">,
  workspace: string,
): Promise<{ run?: StoredRun; newer: readonly NewerRun[] }> {
  const newer: NewerRun[] = [];
  const { findRepository } = await import("@switchyard/environment");
  const repository = findRepository(workspace)?.data;
  const belongs = (folder: string): boolean =>
    folder === workspace || (repository !== undefined && findRepository(folder)?.data === repository);
  for (const listed of await store.list()) {
    if ("problem" in listed) continue;
    const run = await store.show(listed.runId);
    const folder = worktreeOf(run) ?? hostWorkspaceOf(run);
    if (folder === undefined || !belongs(await realPath(folder))) continue;
    // Damaged runs are reported when their conversation is read.
    const why = run.problems.length > 0 ? undefined : whyNot(run);
    if (why === undefined) return { run, newer };
    newer.push({ runId: run.runId, why });
  }
  return { newer };
}

/** Folder that the run's worktree was created for. `undefined` without a worktree. */
function worktreeOf({ request }: StoredRun): string | undefined {
  return request === undefined ? undefined : fromSettings(request).worktreeOf;
}

/** Returns why a run has no conversation to continue. `undefined` if it has one. */
function whyNot({ runId, record, lease, report }: StoredRun): string | undefined {
  if (record?.finished_at === undefined) {
    return lease?.isHeld === true ? "is running" : `was cut off; \`switchyard resume ${runId}\` continues it`;
  }
  const { result } = report ?? {};
  const hasSpoken = result?.transcript?.some(({ role, content }) => role === "assistant" && content !== "") === true;
  return hasSpoken || (result?.final_message ?? "") !== "" ? undefined : "ended without a response";
}

interface ContinuedFrom {
  readonly newer: readonly NewerRun[];
  /** Folder of the new run. */
  readonly workspace: string;
}

function describeContinued(run: StoredRun, { newer, workspace }: ContinuedFrom): string {
  const folder = hostWorkspaceOf(run);
  const isElsewhere = folder !== undefined && folder !== workspace;
  const where =
    worktreeOf(run) !== undefined
      ? ", whose changes are on the branch of its worktree"
      : isElsewhere
        ? ` of ${folder}`
        : "";
  return [
    ...newer.map(({ runId, why }) => `note: the newer run ${runId} ${why}.\n`),
    `note: continuing run ${run.runId}${where}.\n`,
  ].join("");
}

function realPath(path: string): Promise<string> {
  // A folder that no longer exists cannot be the current one.
  return realpath(path).catch(() => path);
}

async function toEarlier(run: StoredRun): Promise<EarlierRun> {
  const { runId, request, report, problems } = run;
  const [problem] = problems;
  const { result } = report ?? {};
  if (request === undefined || report === undefined || result === undefined) {
    throw (
      problem ??
      new EngineError("run.not_resumable", {
        runId,
        problem: "its conversation was not stored; `switchyard resume` may be able to continue it",
      })
    );
  }
  const said: readonly SessionMessage[] = result.transcript ?? [
    ...request.input.messages,
    { role: "assistant", content: result.final_message },
  ];
  const patch = await readExactPatch(run);
  return { runId, engine: report.engine, request, messages: said, sessionId: result.session_id, patch };
}

/** Returns an input that continues a conversation. */
export function withHistory(input: SessionInput, earlier: EarlierRun | undefined): SessionInput {
  if (earlier === undefined) return input;
  const { messages, sessionId } = earlier;
  return {
    ...input,
    messages: [...messages, ...input.messages],
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
}
