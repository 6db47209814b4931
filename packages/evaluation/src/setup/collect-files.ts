import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { TrialArtifact } from "../results/trial-result.ts";

/** Maximum number of collected files. Further files are not collected. */
const MAX_FILES = 1_000;
/** Maximum size of one collected file, in bytes. For a larger file, only the reason is reported. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Files that pass messages to a custom engine and back. They may contain a session id. */
const ENGINE_FILES: readonly string[] = ["inputs/messages.json", "outputs/session-result.json"];

/** Options for `collectFiles`. */
export interface CollectFilesOptions {
  /** Patterns of workspace files. */
  readonly patterns: readonly string[];
  /** Folder on this machine that receives the files, with their paths. */
  readonly target: string;
}

/** Copies the workspace files that match a pattern. Never changes the workspace. Files of a `.git` folder are left out. */
export async function collectFiles(
  environment: ExecutionEnvironment,
  { patterns, target }: CollectFilesOptions,
): Promise<TrialArtifact[]> {
  if (patterns.length === 0) return [];
  const { compileGlob } = await import("@switchyard/environment");
  const matchers = patterns.map((pattern) => compileGlob(pattern));
  const artifacts: TrialArtifact[] = [];
  for (const path of await filesBelow(environment, "")) {
    if (ENGINE_FILES.includes(path) || !matchers.some((matches) => matches(path))) continue;
    if (artifacts.length >= MAX_FILES) break;
    artifacts.push(await copyFile(environment, path, join(target, path)));
  }
  return artifacts;
}

/** Returns the paths of all files below a folder of the workspace, without those of `.git` folders. */
async function filesBelow(environment: ExecutionEnvironment, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const { name, kind } of await environment.listDirectory(folder === "" ? "." : folder, 1)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (kind === "file") files.push(path);
    if (kind === "directory" && name !== ".git") files.push(...(await filesBelow(environment, path)));
  }
  return files;
}

async function copyFile(environment: ExecutionEnvironment, path: string, target: string): Promise<TrialArtifact> {
  try {
    const { size } = await environment.stat(path);
    if (size > MAX_BYTES) return { name: path, dropped: `The file is larger than ${MAX_BYTES} bytes.` };
    const content = await environment.readBytes(path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    return { name: path, bytes: content.length };
  } catch (error) {
    if (EngineError.is(error) && !error.code.startsWith("environment.")) throw error;
    return { name: path, dropped: messageOf(error) };
  }
}
