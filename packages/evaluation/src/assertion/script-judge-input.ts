import type { ExecutionEnvironment, ScriptJudgeFile, ScriptJudgeInput } from "@switchyard/contracts";
import type { Evidence } from "./evidence.ts";

/** Maximum number of files that are listed in the input of a script judge. */
const MAX_FILES = 10_000;

/** Returns the input of a script judge, with secrets masked. Call it before the workspace is changed for the script. */
export async function scriptJudgeInput(evidence: Evidence): Promise<ScriptJudgeInput> {
  const { trial, task, finalMessage, result, turns, workspaceDiff, environment, masker } = evidence;
  const { transcript = [], ...withoutTranscript } = result ?? { exit_code: 0, final_message: "" };
  const files: ScriptJudgeFile[] = [];
  const areFilesPartial = !(await listFiles(environment, "", files));
  return masker.maskData({
    format: 1 as const,
    case_id: trial.case_id,
    ...(trial.variant === undefined ? {} : { variant: trial.variant }),
    engine: trial.engine,
    iteration: trial.iteration,
    task,
    final_message: finalMessage,
    ...(result === undefined ? {} : { result: withoutTranscript }),
    transcript,
    turns: turns.map(({ content, response, status }) => ({ content, response, status })),
    files,
    are_files_partial: areFilesPartial,
    ...(workspaceDiff === undefined ? {} : { workspace_diff: workspaceDiff }),
  });
}

/** Adds the files below a folder. Resolves with false if there are too many. */
async function listFiles(
  environment: ExecutionEnvironment,
  folder: string,
  files: ScriptJudgeFile[],
): Promise<boolean> {
  for (const { name, kind, size } of await environment.listDirectory(folder === "" ? "." : folder, 1)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (kind === "directory" && name !== ".git" && !(await listFiles(environment, path, files))) return false;
    if (kind !== "file") continue;
    if (files.length >= MAX_FILES) return false;
    files.push({ path, ...(size === undefined ? {} : { bytes: size }) });
  }
  return true;
}
