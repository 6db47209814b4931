import { execFile } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { onTestFinished } from "vitest";
import {
  restoreChanges,
  restoreReferences,
  takeSnapshot,
  type UndoRecord,
  type WorkspaceChanges,
} from "../src/index.ts";

const execute = promisify(execFile);

/** Temporary workspace of a test. */
export interface TestWorkspace {
  readonly root: string;
  readonly home: string;
  /** Runs a shell script in the workspace, as a user or an agent would. */
  sh(script: string): Promise<string>;
}

/** Creates an empty workspace and a separate home folder. */
export async function makeWorkspace(): Promise<TestWorkspace> {
  const base = await mkdtemp(join(tmpdir(), "switchyard-undo-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [root, home] = [join(base, "work"), join(base, "home")];
  await mkdir(root);
  await mkdir(home);
  const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C.UTF-8" };
  const sh = async (script: string): Promise<string> => {
    const { stdout } = await execute("sh", ["-ec", script], { cwd: root, env });
    return stdout;
  };
  await sh(
    "git config --global user.email a@example.com && git config --global user.name A && git config --global init.defaultBranch main && git config --global protocol.file.allow always",
  );
  return { root, home, sh };
}

/** Options for undoing a test run, with the step at which the undo is interrupted. */
interface UndoChoice {
  readonly commits?: boolean;
  /** The step at which the undo throws, to simulate a process that was killed there. */
  readonly interrupted?: "before the files" | "before it is recorded";
}

/** Changes of a simulated run, and a function that undoes them. */
export interface TestRun {
  readonly changes: WorkspaceChanges;
  readonly record: UndoRecord;
  undo(options?: UndoChoice): Promise<void>;
}

/** Takes a snapshot, runs the shell script of a simulated agent, and reads the changes. */
export async function runAgent({ root, home, sh }: TestWorkspace, agent: string, folder = root): Promise<TestRun> {
  const scratch = await mkdtemp(join(home, "scratch-"));
  const env = { PATH: process.env["PATH"], HOME: home };
  await using environment = await openLocalEnvironment({ root: folder, env });
  const snapshot = await takeSnapshot(environment, { scratch });
  await sh(agent);
  const changes = await snapshot?.changes();
  if (changes === undefined) throw new Error("there is no git");
  const { record, diff, exact, index } = changes;
  const patch = diff === "" ? "" : exact === undefined ? diff : await readFile(exact);
  const undo = async ({ commits = false, interrupted }: UndoChoice = {}): Promise<void> => {
    const failAt = (point: UndoChoice["interrupted"]): void => {
      if (interrupted === point) throw new Error(`interrupted ${point}`);
    };
    const beforeSwap = async (): Promise<void> => {
      if (commits) await restoreReferences({ env, folder: root, changes: record.repositories, index });
      failAt("before the files");
    };
    const onRestored = async (): Promise<void> => failAt("before it is recorded");
    await restoreChanges({
      ...{ env, folder: root, prefix: folder.slice(root.length + 1), patch, record, beforeSwap, onRestored },
      ...{ aside: join(home, "aside"), runId: "test" },
    });
  };
  return { changes, record, undo };
}

/**
 * Returns the kind, permissions and content of everything in a folder by path, except `.git` folders. Paths are decoded
 * as `latin1`.
 */
export async function stateOf(root: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    const absolute = Buffer.from(`${root}/${path}`, "latin1");
    const found = await lstat(absolute);
    const mode = (found.mode & 0o7777).toString(8);
    if (found.isSymbolicLink()) state[path] = `link ${await readlink(absolute, "latin1")}`;
    else if (found.isFile()) state[path] = `file ${mode} ${await readFile(absolute, "base64")}`;
    else if (found.isDirectory()) {
      if (path !== "") state[path] = `folder ${mode}`;
      for (const name of await readdir(absolute, "latin1")) {
        if (name !== ".git") await visit(path === "" ? name : `${path}/${name}`);
      }
    } else state[path] = "special";
  };
  await visit("");
  return state;
}
