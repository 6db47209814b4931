import { readFile } from "node:fs/promises";
import { basename, posix } from "node:path";
import type { ScriptAssertion } from "../suite/eval-suite.ts";
import type { Evidence, Finding } from "./evidence.ts";
import { readScriptAnswer } from "./read-script-answer.ts";
import { scriptJudgeInput } from "./script-judge-input.ts";

const FOLDER = ".switchyard-judge";
const MS_PER_SECOND = 1_000;
/** Maximum length of the stored output, in characters. */
const MAX_OUTPUT = 8_000;

/** Programs that run a script, by its extension. Other scripts are executed directly. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  ".sh": "bash",
  ".bash": "bash",
  ".py": "python3",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
};

/**
 * Runs a script in the workspace, with a copy of the script and of its input in a folder that is removed afterwards.
 * The exit code 0 means that the work is accepted, unless the script's answer refuses it. Environment variables of the
 * script: `EVAL_JUDGE_INPUT_PATH`, a `ScriptJudgeInput` as JSON, and, with the same values as in skill-up,
 * `EVAL_FINAL_MESSAGE`, `EVAL_EXIT_CODE`, `EVAL_TRANSCRIPT_PATH` and `EVAL_RESULT_PATH`. Rejects if the script could
 * not be run.
 */
export async function runScript(script: ScriptAssertion, evidence: Evidence): Promise<Finding> {
  const { environment, result, masker } = evidence;
  const path = `${FOLDER}/${basename(script.path)}`;
  const absolute = (name: string): string => posix.join(environment.workingDirectory, FOLDER, name);
  // The engine may have put files into this folder, such as modules that the script would import.
  await environment.remove(FOLDER).catch(() => undefined);
  const input = await scriptJudgeInput(evidence);
  try {
    await environment.writeFile(path, await readFile(script.path));
    await environment.writeFile(`${FOLDER}/input.json`, JSON.stringify(input));
    await environment.writeFile(`${FOLDER}/transcript.json`, JSON.stringify(input.transcript));
    await environment.writeFile(`${FOLDER}/result.json`, JSON.stringify(masker.maskData(result ?? {})));
    const variables = {
      EVAL_JUDGE_INPUT_PATH: absolute("input.json"),
      EVAL_FINAL_MESSAGE: input.final_message,
      EVAL_EXIT_CODE: String(evidence.exitCode),
      EVAL_TRANSCRIPT_PATH: absolute("transcript.json"),
      EVAL_RESULT_PATH: absolute("result.json"),
    };
    return await execute(script, { evidence, path, variables });
  } finally {
    await environment.remove(FOLDER).catch(() => undefined);
  }
}

interface Execution {
  readonly evidence: Evidence;
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
}

async function execute(script: ScriptAssertion, { evidence, path, variables }: Execution): Promise<Finding> {
  const { environment, signal, masker } = evidence;
  const interpreter = INTERPRETERS[posix.extname(path).toLowerCase()];
  const command = interpreter === undefined ? ["sh", "-c", `chmod +x "$0" && exec "./$0"`, path] : [interpreter, path];
  const ended = await environment.exec(command, {
    timeoutMs: script.timeoutSeconds * MS_PER_SECOND,
    signal,
    env: { set: variables },
  });
  if (ended.aborted) throw new Error("it was stopped");
  // Masks before truncating, because the masker does not recognise a truncated secret.
  const printed = masker.mask([ended.stdout.trim(), ended.stderr.trim()].filter((text) => text !== "").join("\n"));
  const output = printed.length > MAX_OUTPUT ? `…${printed.slice(-MAX_OUTPUT)}` : printed;
  const shown = output === "" ? {} : { output };
  if (ended.timedOut)
    return { outcome: "FAIL", reason: `The script did not end within ${script.timeoutSeconds} s.`, ...shown };
  return { ...(await readScriptAnswer(ended.exitCode, ended.stdout)), ...shown };
}
