import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment, type GitSetting } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { NO_CHANGES } from "../diff/workspace-changes.ts";
import { runGit } from "./git-repository.ts";
import { FOLDER_MODE } from "./stored-snapshot.ts";
import type { WorkspaceSnapshot } from "./workspace-snapshot.ts";

const MAX_FILES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Files that are read at a time: a place far away takes its time for each. */
const AT_ONCE = 8;
/** Folders of the two states: git writes their names in front of the paths. */
const STATES = { before: "a", after: "b" } as const;
const DIFF = ["diff", "--no-index", "--no-prefix", "--binary", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];

/** Where the files of a temporary workspace are compared. */
export interface TemporarySnapshotOptions {
  /** Folder of the runner's own, on this machine. */
  scratch: string;
  /** The host's variables, by which git is found. */
  env: HostVariables;
}

/**
 * Takes a snapshot of a workspace that will be gone with its environment, in whatever place: a copy of its files, but
 * those that git ignores. Throws where there is too much of it, and what reading and writing throws.
 */
export async function takeTemporarySnapshot(
  environment: ExecutionEnvironment,
  options: TemporarySnapshotOptions,
): Promise<WorkspaceSnapshot> {
  const before = await copyFiles(environment, options, { state: "before", known: [] });
  return {
    changes: async (excluded = []) => {
      const left = new Set(excluded);
      // What was there is not removed by a rule that ignores it from now on.
      await copyFiles(environment, options, { state: "after", known: before, left });
      await using scratch = await openFolder(options.scratch, options.env);
      for (const path of before) if (left.has(path)) await scratch.remove(`${STATES.before}/${path}`);
      const settings: readonly GitSetting[] = [
        ["core.quotePath", "false"],
        ["core.safecrlf", "false"],
        ["core.autocrlf", "false"],
      ];
      const diff = await runGit(scratch, [...DIFF, STATES.before, STATES.after], {
        settings,
        // The folder may lie in a repository, which has no say here.
        variables: { GIT_DIR: "/dev/null" },
        maxExitCode: 1,
      });
      return { ...NO_CHANGES, diff };
    },
  };
}

interface Copying {
  state: keyof typeof STATES;
  /** Files that are looked for beside those that are found. */
  known: readonly string[];
  /** Files that are left out. */
  left?: ReadonlySet<string> | undefined;
}

async function copyFiles(
  environment: ExecutionEnvironment,
  { scratch, env }: TemporarySnapshotOptions,
  { state, known, left = new Set() }: Copying,
): Promise<string[]> {
  const folder = join(scratch, STATES[state]);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  // The names come from the place: written by an environment they cannot lead out of the folder.
  await using target = await openFolder(folder, env);
  const found = await environment.glob("**/*", { maxResults: MAX_FILES + 1 });
  if (found.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
  const paths = [...new Set([...found, ...known])].filter((path) => !left.has(path));
  const open = paths.values();
  let bytes = 0;
  const copy = async (): Promise<void> => {
    for (const path of open) {
      const content = await readFile(environment, path);
      bytes += content?.length ?? 0;
      if (bytes > MAX_BYTES) throw new Error(`there are more than ${MAX_BYTES / 1024 / 1024} MiB of files`);
      if (content !== undefined) await target.writeFile(path, content);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copy));
  return paths;
}

async function readFile(environment: ExecutionEnvironment, path: string): Promise<Uint8Array | undefined> {
  try {
    return await environment.readBytes(path, { length: MAX_BYTES + 1 });
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found") || EngineError.is(error, "environment.not_a_directory"))
      return undefined;
    throw error;
  }
}

async function openFolder(root: string, env: HostVariables): Promise<ExecutionEnvironment> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  return openLocalEnvironment({ root, env });
}
