import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { writePrivateFile } from "@switchyard/settings";

/** Session of an editor, as stored on disk. */
export interface StoredSession {
  /** Version of the file format. */
  readonly format: 1;
  /** Id of the session. */
  readonly session_id: string;
  /** Absolute path of the session's folder, with symbolic links resolved. */
  readonly workspace: string;
  /** Start time of the session's last prompt, ISO 8601. */
  readonly updated_at: string;
  /** Ids of the session's runs, oldest first. */
  readonly runs: readonly string[];
}

/** Matches session ids that this server creates. Other ids are never used as file names. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Store of editor sessions in a state folder. It stores the ids of each session's runs. The conversations are stored
 * with the runs.
 */
export interface StoredSessions {
  /** Stores a session. Replaces a stored session with the same id. Rejects with `output.unwritable`. */
  save(session: StoredSession): Promise<void>;
  /**
   * Finds a session by its id; `undefined` if there is none. Rejects with `run.malformed_record` if the session's file
   * is damaged.
   */
  find(id: string): Promise<StoredSession | undefined>;
  /** Lists all readable sessions. The session with the most recent prompt comes first. */
  list(): Promise<StoredSession[]>;
  /** Removes a session. The session's runs stay stored. */
  remove(id: string): Promise<void>;
}

/** Opens the store of a state folder. The folder is created when a session is stored. */
export function openStoredSessions(state: string): StoredSessions {
  const folder = join(state, "acp");
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const find = async (id: string): Promise<StoredSession | undefined> => {
    if (!ID.test(id)) return undefined;
    const text = await readFile(fileOf(id), "utf8").catch(absent);
    if (text === undefined) return undefined;
    const session = parseSession(text);
    if (session?.session_id !== id)
      throw new EngineError("run.malformed_record", { path: fileOf(id), problem: "it is damaged" });
    return session;
  };
  return {
    find,
    save: (session) => writePrivateFile(fileOf(session.session_id), session),
    list: async () => {
      const names = (await readdir(folder).catch(absent)) ?? [];
      const ids = names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []));
      const found = await Promise.all(ids.map((id) => find(id).catch(() => undefined)));
      const sessions = found.filter((session) => session !== undefined);
      return sessions.sort((one, other) => other.updated_at.localeCompare(one.updated_at));
    },
    remove: async (id) => {
      if (ID.test(id)) await rm(fileOf(id), { force: true });
    },
  };
}

function parseSession(text: string): StoredSession | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { format, session_id, workspace, updated_at, runs }: Partial<Record<string, unknown>> = { ...value };
  if (format !== 1 || typeof session_id !== "string" || typeof workspace !== "string") return undefined;
  if (typeof updated_at !== "string" || !Array.isArray(runs)) return undefined;
  return { format, session_id, workspace, updated_at, runs: runs.filter((run) => typeof run === "string") };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
