import { realpath } from "node:fs/promises";
import {
  EngineError,
  type RunRequest,
  type RunStore,
  type SessionInput,
  type SessionMessage,
  type StoredRun,
} from "@switchyard/contracts";
import type { GitInput } from "@switchyard/workspace";
import { readExactPatch } from "./exact-patch.ts";

/** Run whose conversation a new run continues. */
export interface EarlierRun {
  /** Id of the run. */
  readonly runId: string;
  /** Name of the run's engine. */
  readonly engine: string;
  /** Request of the run. */
  readonly request: RunRequest;
  /** Conversation of the run, with tool calls and results if the engine reports them. */
  readonly messages: readonly SessionMessage[];
  /** Session id of the run's engine; `undefined` if the engine does not store conversations. */
  readonly sessionId: string | undefined;
  /** The run's changes as a patch. */
  readonly patch: GitInput;
}

/** A newer run that was skipped because it cannot be continued. */
export interface SkippedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Reason why the run was skipped, such as `is running`. */
  readonly why: string;
}

/** Options of `findNewestRun`. */
export interface NewestRunOptions {
  /** Folder, with links resolved. */
  readonly workspace: string;
  /** Returns the folder on this machine in which a run worked; `undefined` if the run worked elsewhere. */
  readonly folderOf: (run: StoredRun) => string | undefined;
}

/** Result of `findNewestRun`. */
export interface NewestRun {
  /** The newest run with a conversation; `undefined` if there is none. */
  readonly run?: StoredRun;
  /** Runs that are newer than the found run, but were skipped because they cannot be continued. */
  readonly skipped: readonly SkippedRun[];
}

/**
 * Finds the newest run that has a conversation and worked in the given folder, or in another folder of the same git
 * repository or its worktrees.
 */
export async function findNewestRun(
  store: Pick<RunStore, "list" | "show">,
  { workspace, folderOf }: NewestRunOptions,
): Promise<NewestRun> {
  const skipped: SkippedRun[] = [];
  const { findRepository } = await import("@switchyard/environment");
  const repository = findRepository(workspace)?.data;
  const belongs = (folder: string): boolean =>
    folder === workspace || (repository !== undefined && findRepository(folder)?.data === repository);
  for (const listed of await store.list()) {
    if ("problem" in listed) continue;
    const run = await store.show(listed.runId);
    const folder = folderOf(run);
    if (folder === undefined || !belongs(await realPath(folder))) continue;
    // A damaged run is not skipped here, because the damage is reported when its conversation is read.
    const why = run.problems.length > 0 ? undefined : whyNot(run);
    if (why === undefined) return { run, skipped };
    skipped.push({ runId: run.runId, why });
  }
  return { skipped };
}

/** Returns why a run cannot be continued; `undefined` if it has a conversation. */
function whyNot({ runId, record, lease, report }: StoredRun): string | undefined {
  if (record?.finished_at === undefined) {
    return lease?.isHeld === true ? "is running" : `was cut off; \`switchyard resume ${runId}\` continues it`;
  }
  const { result } = report ?? {};
  const hasReplied = result?.transcript?.some(({ role, content }) => role === "assistant" && content !== "") === true;
  return hasReplied || (result?.final_message ?? "") !== "" ? undefined : "ended without a response";
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Reads the conversation of a stored run. Rejects with `run.not_resumable` if the conversation is not stored. */
export async function toEarlierRun(run: StoredRun): Promise<EarlierRun> {
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
  const conversation: readonly SessionMessage[] = result.transcript ?? [
    ...request.input.messages,
    { role: "assistant", content: result.final_message },
  ];
  const patch = await readExactPatch(run);
  return { runId, engine: report.engine, request, messages: conversation, sessionId: result.session_id, patch };
}

/** Adds the conversation of an earlier run to an input. */
export function withHistory(input: SessionInput, earlier: EarlierRun | undefined): SessionInput {
  if (earlier === undefined) return input;
  const { messages, sessionId } = earlier;
  return {
    ...input,
    messages: [...messages, ...input.messages],
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
}
