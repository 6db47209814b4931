import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import type { McpSignIn, McpSignIns } from "@switchyard/mcp";
import { failWithoutHome, settingsFolder } from "@switchyard/settings";
import { withFileLock } from "@switchyard/workspace";
import type { CommandContext } from "../context/command-context.ts";

/** Permissions of others than the owner. */
const OTHERS = 0o077;

type Kept = Map<string, McpSignIn>;

function damaged(path: string, cause?: unknown): EngineError {
  return new EngineError("credentials.invalid", { path, problem: "it is no list of sign-ins" }, { cause });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function textIn(entry: object, name: string): string | undefined {
  const value: unknown = Reflect.get(entry, name);
  return typeof value === "string" ? value : undefined;
}

function toSignIn(entry: unknown): McpSignIn | undefined {
  const source = Object(entry);
  const [clientId, accessToken] = [textIn(source, "client_id"), textIn(source, "access_token")];
  if (clientId === undefined || accessToken === undefined) return undefined;
  return {
    ...{ clientId, accessToken, tokenType: textIn(source, "token_type") ?? "Bearer" },
    ...{ clientSecret: textIn(source, "client_secret"), issuer: textIn(source, "issuer") },
    ...{ refreshToken: textIn(source, "refresh_token"), scope: textIn(source, "scope") },
  };
}

function toEntry(signIn: McpSignIn): Record<string, string | undefined> {
  return {
    ...{ client_id: signIn.clientId, client_secret: signIn.clientSecret, issuer: signIn.issuer, scope: signIn.scope },
    ...{ access_token: signIn.accessToken, token_type: signIn.tokenType, refresh_token: signIn.refreshToken },
  };
}

function parse(text: string, path: string): Kept {
  let servers: unknown;
  try {
    const data: unknown = JSON.parse(text);
    servers = Reflect.get(Object(data), "format") === 1 ? Reflect.get(Object(data), "servers") : undefined;
  } catch {
    // The parser's message quotes what it read, which is secret.
  }
  if (typeof servers !== "object" || servers === null) throw damaged(path);
  const kept: Kept = new Map();
  for (const [address, entry] of Object.entries(servers)) {
    const signIn = toSignIn(entry);
    if (signIn === undefined) throw damaged(path);
    kept.set(address, signIn);
  }
  return kept;
}

async function readKept(path: string): Promise<Kept> {
  try {
    const { mode } = await stat(path);
    // Windows has no such permissions.
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) throw new EngineError("credentials.exposed", { path });
    return parse(await readFile(path, "utf8"), path);
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw EngineError.is(error) ? error : damaged(path, error);
  }
}

async function writeKept(path: string, kept: Kept): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const servers = Object.fromEntries([...kept].map(([address, signIn]) => [address, toEntry(signIn)]));
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ format: 1, servers }, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new EngineError("output.unwritable", { path, problem: fileProblem(error) }, { cause: error });
  }
}

/** Absolute path of the file with the sign-ins of the user: outside of all workspaces. */
function signInFile(folder: string): string {
  return join(folder, "mcp-sign-ins.json");
}

/** Sign-ins of a user without a home folder: there are none, and none can be stored. */
const NO_SIGN_INS: McpSignIns = {
  load: async () => undefined,
  save: async () => failWithoutHome(),
  remove: async () => false,
  exclusive: (_, work) => work(),
};

/** The sign-ins of the user, in a file that nobody else can read. Rejects with `credentials.*` and `output.unwritable`. */
export function openSignIns(context: Pick<CommandContext, "env" | "homeDirectory">): McpSignIns {
  const folder = settingsFolder(context);
  if (folder === undefined) return NO_SIGN_INS;
  const path = signInFile(folder);
  function locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
    return withFileLock(lock, work).catch((error: unknown) => {
      if (EngineError.is(error)) throw error;
      throw new EngineError("output.unwritable", { path: lock, problem: fileProblem(error) }, { cause: error });
    });
  }
  // One change after the other, of other processes too: each writes the whole file.
  function change<T>(act: (kept: Kept) => T): Promise<T> {
    return locked(`${path}.lock`, async () => {
      const kept = await readKept(path);
      const result = act(kept);
      await writeKept(path, kept);
      return result;
    });
  }
  return {
    load: async (address) => (await readKept(path)).get(address),
    save: (address, signIn) => change((kept) => void kept.set(address, signIn)),
    remove: async (address) => (await readKept(path)).has(address) && change((kept) => kept.delete(address)),
    exclusive: (address, work) =>
      locked(`${path}.${createHash("sha256").update(address).digest("hex").slice(0, 16)}.lock`, work),
  };
}
