import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, fileProblem, type NoticePayload } from "@switchyard/contracts";
import type { TrustedFiles } from "@switchyard/runner";
import { readRegularFile, type TextFile } from "../files/read-regular-file.ts";
import { requireSettingsFolder, settingsFolder } from "../files/settings-folder.ts";
import { PROJECT_SETTINGS_FILE } from "../files/settings-layer.ts";
import type { SettingsContext } from "../settings-context.ts";
import { digestFile, type Trust } from "./compare-files.ts";

/** Format of the list. Format 1 held the digest of the settings only: skills and commands could change unseen. */
const FORMAT = 2;
const SHA256 = /^[0-9a-f]{64}$/u;

/** A folder, and its settings as bytes that were read but not interpreted. */
export interface Workspace {
  /** Its path with all links followed. */
  readonly path: string;
  /** Its settings; `undefined` if it has none. */
  readonly file: TextFile | undefined;
}

/** All files of a folder that a run would interpret, with the digests of their content. */
export interface WorkspaceFiles {
  readonly files: TrustedFiles;
  /** Files that cannot be read, and why. */
  readonly notices: readonly NoticePayload[];
}

/** What is stored about a trusted folder. */
export interface TrustedWorkspace {
  /** When it was trusted, ISO 8601. */
  readonly trustedAt: string;
  /** The files that were trusted. `undefined` if it was trusted by a version that did not record them: nothing is used. */
  readonly files: TrustedFiles | undefined;
}

type TrustedWorkspaces = Map<string, TrustedWorkspace>;

/** Absolute path of the file that says which folders are trusted: outside of all of them. architecture: decision 20. */
function trustFile(folder: string): string {
  return join(folder, "trusted.json");
}

/** Looks at a folder. Rejects with `workspace.not_found` and `config.unreadable`. */
export async function inspectWorkspace(folder: string): Promise<Workspace> {
  const path = await realpath(folder).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: folder }, { cause });
  });
  return { path, file: await readRegularFile(join(path, PROJECT_SETTINGS_FILE)) };
}

/** Returns the digests of all files of a folder that a run would interpret: its settings, skills and commands. */
export async function digestWorkspace(context: SettingsContext, { path, file }: Workspace): Promise<WorkspaceFiles> {
  const { files, notices } = await digestSkillFiles(context, path);
  const settings = file === undefined ? [] : [[PROJECT_SETTINGS_FILE, digestFile(file)] as const];
  return { files: new Map([...settings, ...files]), notices };
}

/** Returns the digests of the skills and commands of a folder. */
export async function digestSkillFiles({ env }: SettingsContext, path: string): Promise<WorkspaceFiles> {
  const [{ openLocalEnvironment }, { digestSkills }] = await Promise.all([
    import("@switchyard/environment/local"),
    import("@switchyard/runner"),
  ]);
  await using workspace = await openLocalEnvironment({ root: path, env });
  return await digestSkills(workspace);
}

/** What may be used of a folder. Rejects with `config.*` when the list cannot be read: nothing is trusted by accident. */
export async function workspaceTrust(context: SettingsContext, { path }: Workspace): Promise<Trust> {
  return (await findTrusted(context, path))?.files ?? "none";
}

/** What is stored about a folder; `undefined` if it is not trusted. Rejects with `config.*`. */
export async function findTrusted(context: SettingsContext, path: string): Promise<TrustedWorkspace | undefined> {
  return (await readTrusted(context)).get(path);
}

/** Trusts a folder with the given files. */
export async function trustWorkspace(context: SettingsContext, path: string, files: TrustedFiles): Promise<void> {
  const trusted = await readTrusted(context);
  trusted.set(path, { files, trustedAt: new Date(context.now()).toISOString() });
  await writeTrusted(context, trusted);
}

/** Ends the trust in a folder. Returns whether it was trusted. */
export async function removeTrust(context: SettingsContext, path: string): Promise<boolean> {
  const trusted = await readTrusted(context);
  const wasThere = trusted.delete(path);
  if (wasThere) await writeTrusted(context, trusted);
  return wasThere;
}

/** All trusted folders by path. */
export async function listTrusted(context: SettingsContext): Promise<ReadonlyMap<string, TrustedWorkspace>> {
  return readTrusted(context);
}

async function readTrusted(context: SettingsContext): Promise<TrustedWorkspaces> {
  const trusted: TrustedWorkspaces = new Map();
  const folder = settingsFolder(context);
  if (folder === undefined) return trusted;
  const path = trustFile(folder);
  const file = await readRegularFile(path, { follow: true });
  if (file === undefined) return trusted;
  const { format, workspaces } = parse(file);
  for (const [folder, entry] of Object.entries(workspaces)) {
    const trustedAt: unknown = Reflect.get(Object(entry), "trusted_at");
    if (typeof trustedAt !== "string") throw damaged(path);
    const stored: unknown = Reflect.get(Object(entry), "files");
    const files = format === 1 || stored === undefined ? undefined : parseFiles(stored, path);
    trusted.set(folder, { trustedAt, files });
  }
  return trusted;
}

function parseFiles(stored: unknown, path: string): TrustedFiles {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) throw damaged(path);
  const files = new Map<string, string>();
  for (const [name, digest] of Object.entries(stored)) {
    if (typeof digest !== "string" || !SHA256.test(digest)) throw damaged(path);
    files.set(name, digest);
  }
  return files;
}

function parse({ path, text }: TextFile): { readonly format: number; readonly workspaces: object } {
  try {
    const data: unknown = JSON.parse(text);
    const workspaces: unknown = Reflect.get(Object(data), "workspaces");
    const format: unknown = Reflect.get(Object(data), "format");
    if ((format === 1 || format === FORMAT) && typeof workspaces === "object" && workspaces !== null) {
      return { format, workspaces };
    }
  } catch (cause) {
    throw damaged(path, cause);
  }
  throw damaged(path);
}

function damaged(path: string, cause?: unknown): EngineError {
  return new EngineError("config.unreadable", { path, problem: "it is no list of trusted folders" }, { cause });
}

async function writeTrusted(context: SettingsContext, trusted: TrustedWorkspaces): Promise<void> {
  const path = trustFile(requireSettingsFolder(context));
  const temporary = `${path}.${randomUUID()}.tmp`;
  const workspaces = Object.fromEntries(
    [...trusted].map(([folder, { files, trustedAt }]) => [
      folder,
      { trusted_at: trustedAt, ...(files === undefined ? {} : { files: Object.fromEntries(files) }) },
    ]),
  );
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ format: FORMAT, workspaces }, undefined, 2)}\n`);
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
