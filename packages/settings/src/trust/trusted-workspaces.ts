import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type NoticePayload } from "@switchyard/contracts";
import type { TrustedFiles } from "@switchyard/runner";
import { readRegularFile, type TextFile } from "../files/read-regular-file.ts";
import { requireSettingsFolder, settingsFolder } from "../files/settings-folder.ts";
import { PROJECT_SETTINGS_FILE } from "../files/settings-layer.ts";
import { writePrivateFile } from "../files/write-private-file.ts";
import type { SettingsContext } from "../settings-context.ts";
import { digestFile, type Trust } from "./compare-files.ts";

/**
 * Version of the file format. Version 1 recorded only digests of settings, so changes of skills and commands were not
 * detected.
 */
const FORMAT = 2;
const SHA256 = /^[0-9a-f]{64}$/u;

/** Workspace folder with the unparsed text of its settings file. */
export interface Workspace {
  /** Absolute path, with all symbolic links resolved. */
  readonly path: string;
  /** Text of the settings file. `undefined` if the folder has none. */
  readonly file: TextFile | undefined;
}

/** Digests of the files of a workspace that a run would use: settings, skills and commands. */
export interface WorkspaceFiles {
  /** SHA-256 digests by path relative to the workspace. */
  readonly files: TrustedFiles;
  /** Notices about files that cannot be read. */
  readonly notices: readonly NoticePayload[];
}

/** Entry in the list of trusted workspaces. */
export interface TrustedWorkspace {
  /** Time at which the workspace was trusted, ISO 8601. */
  readonly trustedAt: string;
  /**
   * Digests of the trusted files. `undefined` if an earlier version of the program did not record them. In this case,
   * no file is used.
   */
  readonly files: TrustedFiles | undefined;
}

type TrustedWorkspaces = Map<string, TrustedWorkspace>;

/**
 * Returns the path of the list of trusted workspaces, which is outside of every workspace. See architecture: decision
 * 20.
 */
function trustFile(folder: string): string {
  return join(folder, "trusted.json");
}

/**
 * Resolves a folder and reads its settings file without parsing it. Rejects with `workspace.not_found` or
 * `config.unreadable`.
 */
export async function inspectWorkspace(folder: string): Promise<Workspace> {
  const path = await realpath(folder).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: folder }, { cause });
  });
  return { path, file: await readRegularFile(join(path, PROJECT_SETTINGS_FILE)) };
}

/** Returns digests of the settings, skills and commands of a workspace. */
export async function digestWorkspace(context: SettingsContext, { path, file }: Workspace): Promise<WorkspaceFiles> {
  const { files, notices } = await digestSkillFiles(context, path);
  const settings = file === undefined ? [] : [[PROJECT_SETTINGS_FILE, digestFile(file)] as const];
  return { files: new Map([...settings, ...files]), notices };
}

/** Returns digests of the skills and commands of a workspace. */
export async function digestSkillFiles({ env }: SettingsContext, path: string): Promise<WorkspaceFiles> {
  const [{ openLocalEnvironment }, { digestSkills }] = await Promise.all([
    import("@switchyard/environment/local"),
    import("@switchyard/runner"),
  ]);
  await using workspace = await openLocalEnvironment({ root: path, env });
  return await digestSkills(workspace);
}

/**
 * Returns which files of a workspace a run may use. Rejects with `config.*` if the list of trusted workspaces is
 * unreadable, so that nothing is trusted by accident.
 */
export async function workspaceTrust(context: SettingsContext, { path }: Workspace): Promise<Trust> {
  return (await findTrusted(context, path))?.files ?? "none";
}

/**
 * Returns the entry of a workspace in the list of trusted workspaces. `undefined` if the workspace is not trusted.
 * Rejects with `config.*` if the list is unreadable.
 */
export async function findTrusted(context: SettingsContext, path: string): Promise<TrustedWorkspace | undefined> {
  return (await readTrusted(context)).get(path);
}

/** Adds a workspace to the list of trusted workspaces, with the files in it that the user trusts. */
export async function trustWorkspace(context: SettingsContext, path: string, files: TrustedFiles): Promise<void> {
  const trusted = await readTrusted(context);
  trusted.set(path, { files, trustedAt: new Date(context.now()).toISOString() });
  await writeTrusted(context, trusted);
}

/** Removes a workspace from the list of trusted workspaces. Returns true if it was in the list. */
export async function removeTrust(context: SettingsContext, path: string): Promise<boolean> {
  const trusted = await readTrusted(context);
  const wasThere = trusted.delete(path);
  if (wasThere) await writeTrusted(context, trusted);
  return wasThere;
}

/** Returns the trusted workspaces by path. */
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
  return new EngineError(
    "config.unreadable",
    { path, problem: "it is not a valid list of trusted folders" },
    { cause },
  );
}

function writeTrusted(context: SettingsContext, trusted: TrustedWorkspaces): Promise<void> {
  const workspaces = Object.fromEntries(
    [...trusted].map(([folder, { files, trustedAt }]) => [
      folder,
      { trusted_at: trustedAt, ...(files === undefined ? {} : { files: Object.fromEntries(files) }) },
    ]),
  );
  return writePrivateFile(trustFile(requireSettingsFolder(context)), { format: FORMAT, workspaces });
}
