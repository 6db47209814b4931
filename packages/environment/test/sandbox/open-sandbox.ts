import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { SandboxedEnvironmentOptions } from "@switchyard/environment/local";
import { openSandboxedEnvironment, sandboxReadiness } from "@switchyard/environment/local";
import { onTestFinished } from "vitest";

const readiness = await sandboxReadiness({ ...process.env });

/** Reason why sandboxes cannot be tested on this machine. `undefined` if they can. */
export const UNREADY: string | undefined = readiness.ok
  ? undefined
  : readiness.missing.map(({ problem }) => problem).join("; ");

function isTemporary(folder: string): boolean {
  return /^\/(?:var\/)?tmp(?:\/|$)/.test(realpathSync(folder));
}

/** Not below `/tmp`, where this repository may be: sandboxes hide `/tmp` for other reasons. */
const PARENT = isTemporary(import.meta.dirname)
  ? join(isTemporary(homedir()) ? "/var/lib" : join(homedir(), ".cache"), "switchyard-sandbox-tests")
  : join(import.meta.dirname, "../../node_modules/.cache/sandbox");

/** A workspace, a home folder and a folder next to both. */
export interface SandboxFolders {
  readonly root: string;
  readonly home: string;
  readonly outside: string;
}

/** A sandbox with its folders. */
export interface TestSandbox extends SandboxFolders {
  readonly environment: ExecutionEnvironment;
}

/** Creates folders that are removed after the test. */
export function makeFolders(files: Readonly<Record<string, string>> = {}): SandboxFolders {
  mkdirSync(PARENT, { recursive: true });
  const folder = mkdtempSync(join(realpathSync(PARENT), "case-"));
  const [root, home, outside] = [join(folder, "workspace"), join(folder, "home"), join(folder, "outside")];
  for (const path of [root, home, outside]) mkdirSync(path);
  writeFileSync(join(outside, "secret.txt"), "SECRET\n");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { root, home, outside };
}

/** Opens a sandbox in folders; it is closed after the test. */
export async function openIn(
  folders: SandboxFolders,
  options: Partial<SandboxedEnvironmentOptions> = {},
): Promise<TestSandbox> {
  const environment = await openSandboxedEnvironment({
    root: folders.root,
    env: { PATH: process.env["PATH"], HOME: folders.home },
    ...options,
  });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  return { environment, ...folders };
}

/** Opens a sandbox in new folders. */
export function openSandbox(
  files: Readonly<Record<string, string>> = {},
  options: Partial<SandboxedEnvironmentOptions> = {},
): Promise<TestSandbox> {
  return openIn(makeFolders(files), options);
}

/** Makes a repository with one commit of a folder. */
export function makeRepository(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "config", "user.email", "somebody@example.com");
  git(folder, "config", "user.name", "Somebody");
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
}

/** Runs git outside of any sandbox. */
export function git(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], { cwd: folder, env, encoding: "utf8" });
}

/** Names in a folder, sorted. */
export const namesIn = (folder: string): string[] => readdirSync(folder).sort();
