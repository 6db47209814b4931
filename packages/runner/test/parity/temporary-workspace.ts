import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openEnvironment } from "@switchyard/environment";

/** Contents of files by path. */
export type Files = Readonly<Record<string, string>>;

/** A temporary folder with its real local environment. */
export interface TemporaryWorkspace extends AsyncDisposable {
  readonly environment: ExecutionEnvironment;
  read(path: string): Promise<string>;
  write(path: string, content: string): Promise<void>;
  exists(path: string): Promise<boolean>;
}

/** Creates a folder with these files. Removed on disposal. */
export async function openTemporaryWorkspace(files: Files = {}): Promise<TemporaryWorkspace> {
  const root = await mkdtemp(join(tmpdir(), "switchyard-parity-"));
  async function write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  for (const [path, content] of Object.entries(files)) await write(path, content);
  const environment = await openEnvironment({ type: "local", root, env: process.env });
  return {
    environment,
    write,
    read: (path) => readFile(join(root, path), "utf8"),
    exists: (path) =>
      stat(join(root, path)).then(
        () => true,
        () => false,
      ),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
