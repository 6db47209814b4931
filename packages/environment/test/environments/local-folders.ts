import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EnvironmentSubject } from "@switchyard/testkit";
import { processesWith } from "./living-processes.ts";

const run = promisify(execFile);

/** A workspace on this machine, a folder beside it that must not be reached, and what reaches both from outside. */
export interface LocalPlace {
  /** The folder around both; it is removed with the place. */
  readonly folder: string;
  /** The workspace. */
  readonly root: string;
  /** What a subject says of this place, `environment` apart. */
  readonly around: Required<
    Pick<EnvironmentSubject, "host" | "outside" | "makeSocket" | "lacks" | "dispose" | "countProcesses">
  >;
}

/**
 * Makes a place in a new folder, below that of temporary files or another one. Its name holds a space and a quote, so
 * that scripts without quoting fail.
 */
export async function makeLocalPlace(parent: string = tmpdir()): Promise<LocalPlace> {
  const folder = await realpath(await mkdtemp(join(parent, "environment's x-")));
  const [root, outside] = [join(folder, "workspace"), join(folder, "outside")];
  await mkdir(root);
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "SECRET\n");
  const servers: Server[] = [];
  const around: LocalPlace["around"] = {
    outside,
    host: async (script) => (await run("sh", ["-c", script], { cwd: root })).stdout,
    makeSocket: async (path) => {
      const server = createServer().listen(join(root, path));
      await new Promise((resolve) => server.once("listening", resolve));
      servers.push(server);
    },
    // The processes of containers and pods are processes of this machine too.
    countProcesses: (mark) => processesWith(mark).length,
    lacks: process.getuid?.() === 0 ? { unprivileged: "root may read and write everything" } : {},
    dispose: async () => {
      for (const server of servers) server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return { folder, root, around };
}
