import { readFile } from "node:fs/promises";
import { basename, posix } from "node:path";
import type { ExecutionEnvironment, SessionResult } from "@switchyard/contracts";
import type { ScriptAssertion } from "../suite/eval-suite.ts";

/** Input of a script judge. */
export interface ScriptEvidence {
  readonly finalMessage: string;
  readonly exitCode: number;
  /** Result of the engine, with all turns. */
  readonly result: SessionResult | undefined;
  readonly environment: ExecutionEnvironment;
  readonly signal: AbortSignal;
}

/** Outcome of a script. */
export interface ScriptVerdict {
  readonly holds: boolean;
  /** Reason for the script's decision: its output, or its exit code if it printed nothing. */
  readonly reason: string;
  /** Output of the script. */
  readonly output: string;
}

const FOLDER = ".switchyard-judge";
const MS_PER_SECOND = 1_000;
const MAX_REASON = 1_000;

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
 * Runs a script in the workspace, with a copy of the script and the transcript in a folder that is removed afterwards.
 * The exit code 0 means that the work is accepted. Environment variables of the script: `EVAL_FINAL_MESSAGE`,
 * `EVAL_EXIT_CODE`, `EVAL_TRANSCRIPT_PATH` and `EVAL_RESULT_PATH`, the result as JSON. Rejects if the script could not be
 * run.
 */
export async function runScript(script: ScriptAssertion, evidence: ScriptEvidence): Promise<ScriptVerdict> {
  const { environment, result } = evidence;
  const path = `${FOLDER}/${basename(script.path)}`;
  const absolute = (name: string): string => posix.join(environment.workingDirectory, FOLDER, name);
  try {
    await environment.writeFile(path, await readFile(script.path));
    await environment.writeFile(`${FOLDER}/transcript.json`, JSON.stringify(result?.transcript ?? []));
    await environment.writeFile(`${FOLDER}/result.json`, JSON.stringify(result ?? {}));
    const variables = {
      EVAL_FINAL_MESSAGE: evidence.finalMessage,
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
  readonly evidence: ScriptEvidence;
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
}

async function execute(script: ScriptAssertion, { evidence, path, variables }: Execution): Promise<ScriptVerdict> {
  const { environment, signal } = evidence;
  const interpreter = INTERPRETERS[posix.extname(path).toLowerCase()];
  const command = interpreter === undefined ? ["sh", "-c", `chmod +x "$0" && exec "./$0"`, path] : [interpreter, path];
  const { exitCode, stdout, stderr, timedOut, aborted } = await environment.exec(command, {
    ...{ timeoutMs: script.timeoutSeconds * MS_PER_SECOND, signal, env: { set: variables } },
  });
  if (aborted) throw new Error("it was stopped");
  const said = stdout.trim();
  const output = [said, stderr.trim()].filter((text) => text !== "").join("\n");
  if (timedOut) return { holds: false, reason: `The script did not end within ${script.timeoutSeconds} s.`, output };
  const holds = exitCode === 0;
  return {
    holds,
    reason: said === "" ? `The script ended with exit code ${exitCode}.` : said.slice(0, MAX_REASON),
    output,
  };
}
