import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { LocalEnvironmentOptions } from "@switchyard/environment/local";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { onTestFinished } from "vitest";

/** A workspace with its environment, and a folder next to it that must not be accessible. */
export interface TestWorkspace {
  readonly environment: ExecutionEnvironment;
  readonly root: string;
  readonly outside: string;
}

/** Opens an environment in a new folder. Both are removed after the test. */
export async function openWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<LocalEnvironmentOptions> = {},
): Promise<TestWorkspace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "environment-")));
  const [root, outside] = [join(folder, "workspace"), join(folder, "outside")];
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "SECRET\n");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const environment = await openLocalEnvironment({
    root,
    env: { PATH: process.env["PATH"], HOME: folder },
    ...options,
  });
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return { environment, root, outside };
}
