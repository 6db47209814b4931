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
/** Number of files read concurrently, because each remote read has high latency. */
const AT_ONCE = 8;
/** Names of the folders with the files before and after the run. Git adds these names to the paths in a diff. */
const STATES = { before: "a", after: "b" } as const;
const DIFF = ["diff", "--no-index", "--no-prefix", "--binary", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];

/** Options for taking a snapshot of a workspace that disappears with its environment. */
export interface TemporarySnapshotOptions {
  /** Private folder of the runner on this machine. */
  scratch: string;
  /** Environment variables of the host, used to find git. */
  env: HostVariables;
}

/**
 * Takes a snapshot of a workspace that disappears with its environment: a local copy of its files, except git-ignored
 * ones. Throws if the workspace is too large, and with read and write errors.
 */
export async function takeTemporarySnapshot(
  environment: ExecutionEnvironment,
  options: TemporarySnapshotOptions,
): Promise<WorkspaceSnapshot> {
  const before = await copyFiles(environment, options, { state: "before", known: [] });
  return {
    changes: async (excluded = []) => {
      const omitted = new Set(excluded);
      // Files of the first snapshot are copied despite new ignore rules, so that they do not count as removed.
      await copyFiles(environment, options, { state: "after", known: before, omitted });
      await using scratch = await openFolder(options.scratch, options.env);
      for (const path of before) if (omitted.has(path)) await scratch.remove(`${STATES.before}/${path}`);
      const settings: readonly GitSetting[] = [
        ["core.quotePath", "false"],
        ["core.safecrlf", "false"],
        ["core.autocrlf", "false"],
      ];
      const diff = await runGit(scratch, [...DIFF, STATES.before, STATES.after], {
        settings,
        // This folder may be inside a repository, which git must ignore.
        variables: { GIT_DIR: "/dev/null" },
        maxExitCode: 1,
      });
      return { ...NO_CHANGES, diff };
    },
  };
}

interface Copying {
  state: keyof typeof STATES;
  /** Paths of files to read in addition to the files that are found. */
  known: readonly string[];
  /** Excluded files. */
  omitted?: ReadonlySet<string> | undefined;
}

async function copyFiles(
  environment: ExecutionEnvironment,
  { scratch, env }: TemporarySnapshotOptions,
  { state, known, omitted = new Set() }: Copying,
): Promise<string[]> {
  const folder = join(scratch, STATES[state]);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  // Writing through an environment prevents file names, which are remote data, from leading out of the folder.
  await using target = await openFolder(folder, env);
  const found = await environment.glob("**/*", { maxResults: MAX_FILES + 1 });
  if (found.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
  const paths = [...new Set([...found, ...known])].filter((path) => !omitted.has(path));
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
