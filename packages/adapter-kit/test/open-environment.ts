import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";

/** A folder with an empty workspace. Removed on disposal. */
export interface OpenedEnvironment extends AsyncDisposable {
  readonly folder: string;
  readonly environment: ExecutionEnvironment;
}

/** Makes the place. */
export async function openEnvironment(): Promise<OpenedEnvironment> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-adapter-")));
  const root = join(folder, "workspace");
  await mkdir(root);
  const environment = await openLocalEnvironment({ root, env: process.env });
  return {
    ...{ folder, environment },
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
