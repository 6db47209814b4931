import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";

/** A temporary folder with files, and the real local environment for it. Removed on disposal. */
export interface Workspace extends AsyncDisposable {
  readonly root: string;
  readonly environment: ExecutionEnvironment;
  /** Text of a file. */
  read(path: string): Promise<string>;
  write(path: string, content: string | Uint8Array): Promise<void>;
}

/** Creates the workspace. Files that begin with `#!` are executable. */
export async function openWorkspace(files: Readonly<Record<string, string>> = {}): Promise<Workspace> {
  const root = await mkdtemp(join(tmpdir(), "switchyard-custom-engine-"));
  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    if (typeof content === "string" && content.startsWith("#!")) await chmod(target, 0o755);
  }
  for (const [path, content] of Object.entries(files)) await write(path, content);
  const environment = await openLocalEnvironment({ root, env: process.env });
  return {
    ...{ root, environment, write },
    read: (path) => readFile(join(root, path), "utf8"),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
