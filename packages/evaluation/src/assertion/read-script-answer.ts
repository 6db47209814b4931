import { isRecord } from "../files/is-record.ts";
import { jsonOf } from "../model/json-of.ts";

/** Verdict of a script judge. */
export interface ScriptVerdict {
  readonly outcome: "PASS" | "FAIL" | "ERROR";
  /** Reason for the script's verdict. */
  readonly reason: string;
  /** Score from 0 to 1. `undefined` if the script gave none. */
  readonly score?: number | undefined;
}

const MAX_REASON = 1_000;

/**
 * Reads the verdict of a script from its exit code and its standard output. If the output is a JSON object with
 * `passed` or `error`, this object is the script's answer. The answer can reject the work despite exit code 0, but
 * cannot accept it if the exit code is not 0. An answer that does not fit the schema is an `ERROR`. If the output is
 * not an answer, it is used as the reason for the verdict.
 */
export async function readScriptAnswer(exitCode: number, stdout: string): Promise<ScriptVerdict> {
  const said = stdout.trim();
  const outcome = exitCode === 0 ? "PASS" : "FAIL";
  const ended = `The script ended with exit code ${exitCode}.`;
  const value = jsonOf(said)?.value;
  if (!isRecord(value) || !("passed" in value || "error" in value))
    return { outcome, reason: said === "" ? ended : said.slice(0, MAX_REASON) };
  const { scriptJudgeAnswerSchema } = await import("@switchyard/contracts/schemas");
  const parsed = scriptJudgeAnswerSchema.safeParse(value);
  if (!parsed.success) {
    const { path = [], message = "it has the wrong form" } = parsed.error.issues[0] ?? {};
    return { outcome: "ERROR", reason: `The answer of the script is invalid: ${[...path, message].join(" ")}.` };
  }
  const { passed, score, reason = "", error } = parsed.data;
  if (error !== undefined) return { outcome: "ERROR", reason: error.slice(0, MAX_REASON) };
  return {
    outcome: passed === true ? outcome : "FAIL",
    reason:
      reason === "" || (passed === true && exitCode !== 0) ? `${reason} ${ended}`.trim() : reason.slice(0, MAX_REASON),
    ...(score === undefined ? {} : { score }),
  };
}
