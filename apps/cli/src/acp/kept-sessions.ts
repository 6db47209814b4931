import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";

/** A session of an editor as it is kept for a later process. */
export interface KeptSession {
  /** Version of this format. */
  readonly format: 1;
  /** Its id. */
  readonly session_id: string;
  /** Absolute path of the folder it works in, links resolved. */
  readonly workspace: string;
  /** When its last prompt began, ISO 8601. */
  readonly updated_at: string;
  /** Ids of its runs, the first one first. */
  readonly runs: readonly string[];
}

/** Ids that this command makes; others name no file. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The sessions of editors below a state folder: which runs belong to them. What was said is kept with the runs. */
export interface KeptSessions {
  /** Keeps one, in place of what was kept of it. */
  save(session: KeptSession): Promise<void>;
  /** One session; nothing when none is kept. Throws when it cannot be read. */
  find(id: string): Promise<KeptSession | undefined>;
  /** All that can be read, those with the newest prompts first. */
  list(): Promise<KeptSession[]>;
  /** Forgets one; its runs stay. */
  remove(id: string): Promise<void>;
}

/** Opens the sessions below a state folder, which need not be there yet. */
export function openKeptSessions(state: string): KeptSessions {
  const folder = join(state, "acp");
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const find = async (id: string): Promise<KeptSession | undefined> => {
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
    save: async (session) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = fileOf(session.session_id);
      await writeFile(`${path}.new`, JSON.stringify(session), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
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

function parseSession(text: string): KeptSession | undefined {
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
