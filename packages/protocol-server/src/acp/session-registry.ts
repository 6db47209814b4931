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
import type { TaskHost } from "../host/task-host.ts";
import { toMcpServers } from "./acp-mcp-servers.ts";
import { AcpSession, type AcpSessionOptions } from "./acp-session.ts";
import { readConversation, replayRuns } from "./past-conversation.ts";
import { openStoredSessions, type StoredSession } from "./stored-sessions.ts";

/** Maximum number of sessions in one page of the session list. */
const PAGE = 50;

/** Options of `createSessionRegistry`. */
export interface SessionRegistryOptions {
  /** Host that executes prompts as runs. */
  readonly host: TaskHost;
  /** State folder. Sessions are stored in its subfolder `acp`. */
  readonly stateDirectory: string;
  /** Initial permission mode of sessions. */
  readonly mode: PermissionMode;
  /**
   * Returns the file system capabilities of the editor. They are known once the editor has initialised the connection.
   */
  readonly capabilities: () => FileSystemCapabilities | null | undefined;
  /** Signal that interrupts all runs. */
  readonly stop: AbortSignal;
}

/** Stored session that was opened again. */
interface ReopenedSession {
  /** The session. */
  readonly session: AcpSession;
  /** Its earlier updates. */
  readonly updates: AsyncIterable<SessionUpdate>;
}

/** Open and stored sessions of an editor. */
export interface SessionRegistry {
  /** Opens a new session. Rejects with `RequestError` if the parameters are invalid. */
  open(params: NewSessionRequest): Promise<AcpSession>;
  /**
   * Opens a stored session. Rejects with `RequestError` if the folder has no session of this id, or if the session is
   * in use.
   */
  reopen(params: LoadSessionRequest | ResumeSessionRequest): Promise<ReopenedSession>;
  /** Lists stored sessions. The session with the most recent prompt comes first. */
  list(params: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** Returns an open session. Throws `RequestError` if no open session has this id. */
  find(id: string): AcpSession;
  /** Interrupts the running prompt of a session. */
  cancel(id: string): void;
  /** Closes a session without removing it from the store. */
  close(id: string): Promise<void>;
  /** Closes a session and removes it from the store. The session's runs stay stored. */
  remove(id: string): Promise<void>;
  /** Closes all sessions. */
  closeAll(): Promise<void>;
}

/** Creates the session registry of one connection. */
export function createSessionRegistry(options: SessionRegistryOptions): SessionRegistry {
  const { host, stateDirectory, mode, capabilities, stop } = options;
  const open = new Map<string, AcpSession>();
  const stored = openStoredSessions(stateDirectory);
  const runs = new Map<string, readonly string[]>();
  const save = async (session: AcpSession, workspace: string, runId: string): Promise<void> => {
    const all = [...(runs.get(session.id) ?? []), runId];
    runs.set(session.id, all);
    const updated_at = new Date(host.now()).toISOString();
    await stored.save({ format: 1, session_id: session.id, workspace, updated_at, runs: all });
  };
  const openSession = (
    { workspace, mcpServers }: { workspace: string; mcpServers: NewSessionRequest["mcpServers"] },
    earlier: Pick<AcpSessionOptions, "id" | "past"> = {},
  ): AcpSession => {
    const session = new AcpSession({
      ...{ ...earlier, host, mode, stop, workspace, capabilities: capabilities() },
      mcpServers: toMcpServers(mcpServers),
      onRun: (one, runId) => save(one, workspace, runId),
    });
    open.set(session.id, session);
    return session;
  };
  const close = async (id: string): Promise<void> => {
    const session = open.get(id);
    open.delete(id);
    await session?.close();
  };
  return {
    open: async ({ cwd, mcpServers }) => openSession({ workspace: await folderOf(cwd), mcpServers }),
    reopen: async ({ sessionId: id, cwd, mcpServers = [] }) => {
      const workspace = await folderOf(cwd);
      if (open.get(id)?.isAtWork === true) throw atWork(id);
      const store = await host.openStore();
      const found = await assertFolder(stored.find(id), { id, workspace });
      const past = await readConversation(store, found.runs);
      if (past.atWork !== undefined) throw atWork(id);
      runs.set(id, found.runs);
      const session = openSession({ workspace, mcpServers }, { id, past });
      return { session, updates: replayRuns(store, found.runs) };
    },
    list: async (params) => listSessions(await stored.list(), { params, store: await host.openStore() }),
    find: (id) => {
      const session = open.get(id);
      if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, "Unknown session");
      return session;
    },
    cancel: (id) => open.get(id)?.cancel(),
    close,
    remove: async (id) => {
      await close(id);
      await stored.remove(id);
    },
    closeAll: async () => {
      await Promise.all([...open.keys()].map(close));
    },
  };
}

async function folderOf(cwd: string): Promise<string> {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, "cwd must be an absolute path");
  // A missing folder is not reported here, but when a prompt needs the folder.
  return realpath(cwd).catch(() => cwd);
}

/** Rejects a session of another folder. Content that the agent read in one folder could otherwise leak to another. */
async function assertFolder(
  looked: Promise<StoredSession | undefined>,
  { id, workspace }: { id: string; workspace: string },
): Promise<StoredSession> {
  const found = await looked;
  if (found === undefined) throw RequestError.invalidParams({ sessionId: id }, "Unknown session");
  if (found.workspace === workspace) return found;
  throw RequestError.invalidParams({ sessionId: id, cwd: workspace }, "The session belongs to another folder");
}

function atWork(sessionId: string): RequestError {
  return RequestError.invalidParams(
    { sessionId },
    "A prompt of the session is in progress. Cancel it or wait until it ends",
  );
}

async function listSessions(
  all: readonly StoredSession[],
  { params, store }: { params: ListSessionsRequest; store: RunStore },
): Promise<ListSessionsResponse> {
  const { cwd, cursor } = params;
  const workspace = typeof cwd === "string" ? await folderOf(cwd) : undefined;
  const fitting = all.filter((session) => workspace === undefined || session.workspace === workspace);
  const first = typeof cursor === "string" ? Number(cursor) : 0;
  if (!Number.isSafeInteger(first) || first < 0) throw RequestError.invalidParams({ cursor }, "Unknown page");
  const sessions = await Promise.all(fitting.slice(first, first + PAGE).map((session) => describe(session, store)));
  const next = first + PAGE;
  return { sessions, ...(next < fitting.length ? { nextCursor: String(next) } : {}) };
}

async function describe(stored: StoredSession, store: RunStore): Promise<SessionInfo> {
  const { session_id: sessionId, workspace: cwd, updated_at: updatedAt, runs } = stored;
  // The session has no run yet if its first prompt was rejected.
  for (const run of runs) {
    const title = await store.show(run).then(
      ({ record }) => record?.title,
      () => undefined,
    );
    if (title !== undefined) return { sessionId, cwd, updatedAt, title };
  }
  return { sessionId, cwd, updatedAt };
}
