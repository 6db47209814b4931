import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import {
  EngineError,
  type RunRequest,
  type SessionInput,
  type SessionMessage,
  type StoredRun,
} from "@switchyard/contracts";
import type { GitInput } from "@switchyard/workspace";
import { exactPatchOf } from "../runs/exact-patch.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import type { World } from "../world/world.ts";

/** Which conversation a new run begins with. */
export interface HistoryOptions extends StoreOptions {
  /** Whether it is that of the newest run in the same folder. */
  continue?: boolean;
  /** Id of the run whose it is, or its beginning. */
  from?: string;
  /** Folder to work in. */
  workspace?: string;
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
export async function findEarlierRun(world: World, options: HistoryOptions): Promise<EarlierRun | undefined> {
  const store = await openRunStore(world, options);
  if (options.from !== undefined) {
    return toEarlier(await findRun(world, store, { ...options, id: options.from, command: "run" }));
  }
  if (options.continue !== true) return undefined;
  const workspace = await realPath(resolve(world.workingDirectory, options.workspace ?? "."));
  for (const listed of await store.list()) {
    if ("problem" in listed || listed.record.finished_at === undefined) continue;
    const run = await store.show(listed.runId);
    const folder = hostWorkspaceOf(run);
    if (folder !== undefined && (await realPath(folder)) === workspace) return toEarlier(run);
  }
  throw new EngineError("run.not_found", { runId: `that is over in ${workspace}`, stateDirectory: "the state folder" });
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
  const patch = await exactPatchOf(run);
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
