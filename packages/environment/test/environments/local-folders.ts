import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EnvironmentSubject } from "@switchyard/testkit";
import { processesWith } from "./living-processes.ts";

const run = promisify(execFile);

/** A workspace on this machine, a folder next to it that must be unreachable, and access to both from outside. */
export interface LocalFolders {
  /** Parent folder of both. Removed on disposal. */
  readonly folder: string;
  /** The workspace. */
  readonly root: string;
  /** Properties of the subject, except `environment`. */
  readonly subject: Required<
    Pick<EnvironmentSubject, "host" | "outside" | "makeSocket" | "lacks" | "dispose" | "countProcesses">
  >;
}

/**
 * Creates the folders in a new folder, by default among temporary files. Its name contains a space and a quote, so
 * that scripts without quoting fail.
 */
export async function makeLocalFolders(parent: string = tmpdir()): Promise<LocalFolders> {
  const folder = await realpath(await mkdtemp(join(parent, "environment's x-")));
  const [root, outside] = [join(folder, "workspace"), join(folder, "outside")];
  await mkdir(root);
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "SECRET\n");
  const servers: Server[] = [];
  const subject: LocalFolders["subject"] = {
    outside,
    host: async (script) => (await run("sh", ["-c", script], { cwd: root })).stdout,
    makeSocket: async (path) => {
      const server = createServer().listen(join(root, path));
      await new Promise((resolve) => server.once("listening", resolve));
      servers.push(server);
    },
    // The processes of containers and pods are processes of this machine too.
    countProcesses: (mark) => processesWith(mark).length,
    lacks: process.getuid?.() === 0 ? { unprivileged: "root can read and write all files" } : {},
    dispose: async () => {
      for (const server of servers) server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return { folder, root, subject };
}
