import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { configDirectory } from "../config/config-directory.ts";
import { PROJECT_FILE } from "../config/config-layer.ts";
import { type FoundFile, readRegularFile } from "../config/read-regular-file.ts";
import type { World } from "../world/world.ts";

/** How a folder stands: `changed` when its settings are others than those that were trusted. */
export type Trust = "trusted" | "changed" | "untrusted";

/** A folder, and what is known of it without interpreting a byte of it. */
export interface Workspace {
  /** Its path with all links followed. */
  readonly path: string;
  /** Its settings as bytes that were read; nothing where there are none. */
  readonly file: FoundFile | undefined;
}

/** What was trusted, by the path of the folder. */
type Trusted = Map<string, { readonly sha256: string; readonly trustedAt: string }>;

/** Absolute path of the file that says which folders are trusted: outside of all of them. architecture: decision 20. */
function trustFile(world: Pick<World, "env" | "homeDirectory">): string {
  return join(configDirectory(world), "trusted.json");
}

/** Looks at a folder. Rejects with `workspace.not_found` and `config.unreadable`. */
export async function findWorkspace(folder: string): Promise<Workspace> {
  const path = await realpath(folder).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: folder }, { cause });
  });
  return { path, file: await readRegularFile(join(path, PROJECT_FILE)) };
}

/** How a folder stands. Rejects with `config.*` when the list cannot be read: nothing is trusted by accident. */
export async function trustOf(world: World, { path, file }: Workspace): Promise<Trust> {
  const found = (await readTrusted(world)).get(path);
  if (found === undefined) return "untrusted";
  return found.sha256 === digestOf(file) ? "trusted" : "changed";
}

/** Trusts a folder as it is now. */
export async function trust(world: World, workspace: Workspace): Promise<void> {
  const trusted = await readTrusted(world);
  const trustedAt = new Date(world.now()).toISOString();
  trusted.set(workspace.path, { sha256: digestOf(workspace.file), trustedAt });
  await writeTrusted(world, trusted);
}

/** Trusts a folder no longer; says whether it was trusted. */
export async function distrust(world: World, path: string): Promise<boolean> {
  const trusted = await readTrusted(world);
  const wasThere = trusted.delete(path);
  if (wasThere) await writeTrusted(world, trusted);
  return wasThere;
}

/** All trusted folders, with the time they were trusted. */
export async function listTrusted(world: World): Promise<{ path: string; trustedAt: string }[]> {
  return [...(await readTrusted(world))].map(([path, { trustedAt }]) => ({ path, trustedAt }));
}

/** Trust is in what the settings say, not in their name: the agent itself may write them. */
function digestOf(file: FoundFile | undefined): string {
  return file === undefined ? "none" : createHash("sha256").update(file.text).digest("hex");
}

async function readTrusted(world: World): Promise<Trusted> {
  const path = trustFile(world);
  const file = await readRegularFile(path, { follow: true });
  const trusted: Trusted = new Map();
  if (file === undefined) return trusted;
  const data = parse(file);
  for (const [folder, entry] of Object.entries(data)) {
    const [sha256, trustedAt] = [Reflect.get(Object(entry), "sha256"), Reflect.get(Object(entry), "trusted_at")];
    if (typeof sha256 !== "string" || typeof trustedAt !== "string") throw damaged(path);
    trusted.set(folder, { sha256, trustedAt });
  }
  return trusted;
}

function parse({ path, text }: FoundFile): object {
  try {
    const data: unknown = JSON.parse(text);
    const workspaces: unknown = Reflect.get(Object(data), "workspaces");
    if (Reflect.get(Object(data), "format") === 1 && typeof workspaces === "object" && workspaces !== null) {
      return workspaces;
    }
  } catch (cause) {
    throw damaged(path, cause);
  }
  throw damaged(path);
}

function damaged(path: string, cause?: unknown): EngineError {
  return new EngineError("config.unreadable", { path, problem: "it is no list of trusted folders" }, { cause });
}

async function writeTrusted(world: World, trusted: Trusted): Promise<void> {
  const path = trustFile(world);
  const temporary = `${path}.${randomUUID()}.tmp`;
  const workspaces = Object.fromEntries(
    [...trusted].map(([folder, { sha256, trustedAt }]) => [folder, { sha256, trusted_at: trustedAt }]),
  );
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ format: 1, workspaces }, undefined, 2)}\n`);
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
