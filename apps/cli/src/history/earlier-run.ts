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

/** Which conversation a new run begins with. */
export interface HistoryOptions extends StoreOptions {
  /** Whether it is that of the newest run in the same folder. */
  continue?: boolean;
  /** Id of the run whose it is, or its beginning. */
  from?: string;
  /** Folder to work in. */
  workspace?: string | undefined;
}

/** A run that another one can begin with. */
export interface EarlierRun {
  /** Its id. */
  readonly runId: string;
  /** Name of its engine. */
  readonly engine: string;
  /** What it was asked to do, and how. */
  readonly request: RunRequest;
  /** Its conversation, with the calls and their results, as far as its engine told of them. */
  readonly messages: readonly SessionMessage[];
  /** Id by which its engine goes on with the conversation, where it keeps one itself. */
  readonly sessionId: string | undefined;
  /** What it changed, as a patch. */
  readonly patch: GitInput;
}

/**
 * The run that the options name; nothing when they name none. Rejects with `run.not_found`, and with `run.not_resumable`
 * where nothing is known of its conversation.
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

/** A newer run of the folder that there is nothing to continue of, and why. */
interface NewerRun {
  readonly runId: string;
  readonly why: string;
}

/**
 * The newest run with a conversation in a folder, in its git repository or in a worktree of one of them, and the newer ones
 * that were passed over.
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
    // Damage is told by whoever reads the conversation.
    const why = run.problems.length > 0 ? undefined : whyNot(run);
    if (why === undefined) return { run, newer };
    newer.push({ runId: run.runId, why });
  }
  return { newer };
}

/** Folder that the worktree of a run was made for, if it had one. */
function worktreeOf({ request }: StoredRun): string | undefined {
  return request === undefined ? undefined : fromSettings(request).worktreeOf;
}

/** Why there is nothing to continue; `undefined` if there is a conversation. */
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
  // A folder that is gone is none that somebody works in.
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
        problem: "what it said was not kept; `switchyard resume` may go on with it",
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

/** An input that goes on with a conversation. */
export function withHistory(input: SessionInput, earlier: EarlierRun | undefined): SessionInput {
  if (earlier === undefined) return input;
  const { messages, sessionId } = earlier;
  return {
    ...input,
    messages: [...messages, ...input.messages],
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
}
