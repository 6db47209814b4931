import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import {
  type FileSystemCapabilities,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type NewSessionRequest,
  RequestError,
  type ResumeSessionRequest,
  type SessionInfo,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { RunStore } from "@switchyard/contracts";
import type { PermissionMode } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { openRunStore } from "../store/open-run-store.ts";
import type { TaskOptions } from "../task/task-options.ts";
import { toMcpServers } from "./acp-mcp-servers.ts";
import { AcpSession } from "./acp-session.ts";
import { type KeptSession, openKeptSessions } from "./kept-sessions.ts";
import { readConversation, replayRuns } from "./past-conversation.ts";

/** Sessions that are listed at a time. */
const PAGE = 50;

/** What the sessions of an editor have in common. */
export interface SessionDeskOptions {
  /** Options of the command. */
  readonly options: TaskOptions;
  /** What the agents may do at first. */
  readonly mode: PermissionMode;
  /** What the editor offers of its own file system; known once it has said so. */
  readonly capabilities: () => FileSystemCapabilities | null | undefined;
  /** Interrupts whatever they do. */
  readonly stop: AbortSignal;
}

/** A session of an earlier process, or of this one, that is open again. */
interface ReopenedSession {
  /** The session. */
  readonly session: AcpSession;
  /** What happened in it, as the editor was told then. */
  readonly updates: AsyncIterable<SessionUpdate>;
}

/** The sessions of an editor: those that are open, and those that are kept. */
export interface SessionDesk {
  /** Opens a new one. Rejects with `RequestError` for what cannot be one. */
  open(params: NewSessionRequest): Promise<AcpSession>;
  /** Opens one that is kept. Rejects with `RequestError` where there is none in that folder, or somebody works in it. */
  reopen(params: LoadSessionRequest | ResumeSessionRequest): Promise<ReopenedSession>;
  /** Sessions that are kept, those with the newest prompts first. */
  list(params: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** One that is open. Throws `RequestError` where it is not. */
  find(id: string): AcpSession;
  /** Interrupts what is worked on in one. */
  cancel(id: string): void;
  /** Closes one; what is kept of it stays. */
  close(id: string): Promise<void>;
  /** Closes one and forgets it; its runs stay. */
  remove(id: string): Promise<void>;
  /** Closes all. */
  closeAll(): Promise<void>;
}

/** Makes the desk of an editor. */
export function createSessionDesk(
  context: CommandContext,
  { options, mode, capabilities, stop }: SessionDeskOptions,
): SessionDesk {
  const open = new Map<string, AcpSession>();
  const kept = openKeptSessions(stateDirectory(context, options.state));
  const runs = new Map<string, readonly string[]>();
  const openStore = (): Promise<RunStore> => openRunStore(context, options);
  const keep = async (session: AcpSession, workspace: string, runId: string): Promise<void> => {
    const all = [...(runs.get(session.id) ?? []), runId];
    runs.set(session.id, all);
    const updated_at = new Date(context.now()).toISOString();
    await kept.save({ format: 1, session_id: session.id, workspace, updated_at, runs: all });
  };
  const admit = (session: AcpSession): AcpSession => {
    open.set(session.id, session);
    return session;
  };
  const close = async (id: string): Promise<void> => {
    const session = open.get(id);
    open.delete(id);
    await session?.close();
  };
  return {
    open: async ({ cwd, mcpServers }) => {
      const workspace = await folderOf(cwd);
      const made = {
        ...{ options, mode, stop, workspace, capabilities: capabilities() },
        mcpServers: toMcpServers(mcpServers),
      };
      return admit(new AcpSession(context, { ...made, onRun: (session, runId) => keep(session, workspace, runId) }));
    },
    reopen: async ({ sessionId: id, cwd, mcpServers = [] }) => {
      const workspace = await folderOf(cwd);
      if (open.get(id)?.isAtWork === true) throw atWork(id);
      const store = await openStore();
      const found = await findKept(kept.find(id), { id, workspace });
      const past = await readConversation(store, found.runs);
      if (past.atWork !== undefined) throw atWork(id);
      runs.set(id, found.runs);
      const made = {
        ...{ id, past, options, mode, stop, workspace, capabilities: capabilities() },
        mcpServers: toMcpServers(mcpServers),
      };
      const session = new AcpSession(context, { ...made, onRun: (one, runId) => keep(one, workspace, runId) });
      return { session: admit(session), updates: replayRuns(store, found.runs) };
    },
    list: async (params) => listKept(await kept.list(), { params, store: await openStore() }),
    find: (id) => {
      const session = open.get(id);
      if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, "There is no such session");
      return session;
    },
    cancel: (id) => open.get(id)?.cancel(),
    close,
    remove: async (id) => {
      await close(id);
      await kept.remove(id);
    },
    closeAll: async () => {
      await Promise.all([...open.keys()].map(close));
    },
  };
}

async function folderOf(cwd: string): Promise<string> {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, "cwd is no absolute path");
  // What is wrong with one that is not there is said when a prompt needs it.
  return realpath(cwd).catch(() => cwd);
}

/** A session belongs to one folder: what was read and said there is none of another one's business. */
async function findKept(
  looked: Promise<KeptSession | undefined>,
  { id, workspace }: { id: string; workspace: string },
): Promise<KeptSession> {
  const found = await looked;
  if (found === undefined) throw RequestError.invalidParams({ sessionId: id }, "There is no such session");
  if (found.workspace === workspace) return found;
  throw RequestError.invalidParams({ sessionId: id, cwd: workspace }, "The session belongs to another folder");
}

function atWork(sessionId: string): RequestError {
  return RequestError.invalidParams(
    { sessionId },
    "A prompt of the session is worked on: cancel it, or wait for its end",
  );
}

async function listKept(
  all: readonly KeptSession[],
  { params, store }: { params: ListSessionsRequest; store: RunStore },
): Promise<ListSessionsResponse> {
  const { cwd, cursor } = params;
  const workspace = typeof cwd === "string" ? await folderOf(cwd) : undefined;
  const fitting = all.filter((session) => workspace === undefined || session.workspace === workspace);
  const first = typeof cursor === "string" ? Number(cursor) : 0;
  if (!Number.isSafeInteger(first) || first < 0) throw RequestError.invalidParams({ cursor }, "There is no such page");
  const sessions = await Promise.all(fitting.slice(first, first + PAGE).map((session) => describe(session, store)));
  const next = first + PAGE;
  return { sessions, ...(next < fitting.length ? { nextCursor: String(next) } : {}) };
}

async function describe(kept: KeptSession, store: RunStore): Promise<SessionInfo> {
  const { session_id: sessionId, workspace: cwd, updated_at: updatedAt, runs } = kept;
  // The first prompt may have been refused, and never become a run.
  for (const run of runs) {
    const title = await store.show(run).then(
      ({ record }) => record?.title,
      () => undefined,
    );
    if (title !== undefined) return { sessionId, cwd, updatedAt, title };
  }
  return { sessionId, cwd, updatedAt };
}
