import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";

/** Temporary folder with files and a local environment for it. Removed on disposal. */
export interface Workspace extends AsyncDisposable {
  readonly root: string;
  readonly environment: ExecutionEnvironment;
  /** Resolves with the text of a file. */
  read(path: string): Promise<string>;
  /** Resolves with the bytes of a file as hexadecimal text. */
  hex(path: string): Promise<string>;
  write(path: string, content: string | Uint8Array): Promise<void>;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Creates a temporary workspace. If `folder` is set, the environment is opened in this folder below the root. */
export async function openWorkspace(files: Files = {}, folder = "."): Promise<Workspace> {
  const root = await mkdtemp(join(tmpdir(), "switchyard-agent-"));
  async function write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  for (const [path, content] of Object.entries(files)) await write(path, content);
  await mkdir(join(root, folder), { recursive: true });
  const environment = await openLocalEnvironment({ root: join(root, folder), env: process.env });
  return {
    root,
    environment,
    write,
    read: (path) => readFile(join(root, path), "utf8"),
    hex: async (path) => (await readFile(join(root, path))).toString("hex"),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
