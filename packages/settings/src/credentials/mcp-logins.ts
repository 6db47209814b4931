import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import type { McpLogin, McpLogins } from "@switchyard/mcp";
import { withFileLock } from "@switchyard/workspace";
import { failWithoutHome, settingsFolder } from "../files/settings-folder.ts";
import { writePrivateFile } from "../files/write-private-file.ts";
import type { SettingsContext } from "../settings-context.ts";

/** Permission bits of users other than a file's owner. */
const OTHERS = 0o077;

type StoredLogins = Map<string, McpLogin>;

function damaged(path: string, cause?: unknown): EngineError {
  return new EngineError("credentials.invalid", { path, problem: "it is not a valid login file" }, { cause });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function textIn(entry: object, name: string): string | undefined {
  const value: unknown = Reflect.get(entry, name);
  return typeof value === "string" ? value : undefined;
}

function toLogin(entry: unknown): McpLogin | undefined {
  const source = Object(entry);
  const [clientId, accessToken] = [textIn(source, "client_id"), textIn(source, "access_token")];
  if (clientId === undefined || accessToken === undefined) return undefined;
  return {
    ...{ clientId, accessToken, tokenType: textIn(source, "token_type") ?? "Bearer" },
    ...{ clientSecret: textIn(source, "client_secret"), issuer: textIn(source, "issuer") },
    ...{ refreshToken: textIn(source, "refresh_token"), scope: textIn(source, "scope") },
  };
}

function toEntry(login: McpLogin): Record<string, string | undefined> {
  return {
    ...{ client_id: login.clientId, client_secret: login.clientSecret, issuer: login.issuer, scope: login.scope },
    ...{ access_token: login.accessToken, token_type: login.tokenType, refresh_token: login.refreshToken },
  };
}

function parse(text: string, path: string): StoredLogins {
  let servers: unknown;
  try {
    const data: unknown = JSON.parse(text);
    servers = Reflect.get(Object(data), "format") === 1 ? Reflect.get(Object(data), "servers") : undefined;
  } catch {
    // The parser's message is omitted, because it quotes the file, which contains secrets.
  }
  if (typeof servers !== "object" || servers === null) throw damaged(path);
  const stored: StoredLogins = new Map();
  for (const [address, entry] of Object.entries(servers)) {
    const login = toLogin(entry);
    if (login === undefined) throw damaged(path);
    stored.set(address, login);
  }
  return stored;
}

async function readLogins(path: string): Promise<StoredLogins> {
  try {
    const { mode } = await stat(path);
    // Windows has no permission bits for other users.
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) throw new EngineError("credentials.exposed", { path });
    return parse(await readFile(path, "utf8"), path);
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw EngineError.is(error) ? error : damaged(path, error);
  }
}

function writeLogins(path: string, stored: StoredLogins): Promise<void> {
  const servers = Object.fromEntries([...stored].map(([address, login]) => [address, toEntry(login)]));
  return writePrivateFile(path, { format: 1, servers });
}

/**
 * Returns the path of the file that stores authentication data for MCP servers. The file is outside of every workspace.
 */
function loginFile(folder: string): string {
  return join(folder, "mcp-sign-ins.json");
}

/** Store of MCP authentication data for a user without a home folder. It is empty and rejects writes. */
const NO_LOGINS: McpLogins = {
  load: async () => undefined,
  save: async () => failWithoutHome(),
  remove: async () => false,
  exclusive: (_, work) => work(),
};

/**
 * Opens the store of the user's authentication data for MCP servers, a file that only the user can read. The store's
 * methods reject with `credentials.*` and `output.unwritable`.
 */
export function openMcpLogins(context: Pick<SettingsContext, "env" | "homeDirectory">): McpLogins {
  const folder = settingsFolder(context);
  if (folder === undefined) return NO_LOGINS;
  const path = loginFile(folder);
  function locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
    return withFileLock(lock, work).catch((error: unknown) => {
      if (EngineError.is(error)) throw error;
      throw new EngineError("output.unwritable", { path: lock, problem: fileProblem(error) }, { cause: error });
    });
  }
  // Changes are serialised across processes, because each change rewrites the whole file.
  function change<T>(act: (stored: StoredLogins) => T): Promise<T> {
    return locked(`${path}.lock`, async () => {
      const stored = await readLogins(path);
      const result = act(stored);
      await writeLogins(path, stored);
      return result;
    });
  }
  return {
    load: async (address) => (await readLogins(path)).get(address),
    save: (address, login) => change((stored) => void stored.set(address, login)),
    remove: async (address) => (await readLogins(path)).has(address) && change((stored) => stored.delete(address)),
    exclusive: (address, work) =>
      locked(`${path}.${createHash("sha256").update(address).digest("hex").slice(0, 16)}.lock`, work),
  };
}
