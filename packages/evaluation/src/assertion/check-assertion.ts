import { EngineError, type ExecResult, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { EvalJudge } from "../judge/judge.ts";
import type { AssertionResult, TrialUsage } from "../results/trial-result.ts";
import type { Assertion } from "../suite/eval-suite.ts";
import { jsonOf } from "./json-of.ts";

/** Inputs of an assertion check. */
export interface Evidence {
  /** Task given to the engine: the last user message of the case. */
  readonly task: string;
  /** Final message of the engine, with secrets masked. */
  readonly finalMessage: string;
  /** Unified diff of the workspace changes. `undefined` if unknown. */
  readonly workspaceDiff?: string | undefined;
  /** Environment in which the engine worked. It is still open. */
  readonly environment: ExecutionEnvironment;
  /** Masks secrets in command output. */
  readonly masker: Masker;
  /** Function that decides `judge` assertions. If `undefined`, `judge` assertions end in `ERROR`. */
  readonly judge?: EvalJudge | undefined;
  /** Called with the usage of each judge call. */
  readonly onJudged: (usage: TrialUsage) => void;
  /** Aborts commands and judge calls. */
  readonly signal: AbortSignal;
}

type Finding = Omit<AssertionResult, "kind" | "expected">;

const MS_PER_SECOND = 1_000;
/** Maximum length of the stored command output, in characters. */
const MAX_OUTPUT = 8_000;
/** Maximum length of `expected`, in characters. */
const MAX_EXPECTED = 300;

/** Checks one assertion. Never rejects: an assertion that cannot be checked ends in `ERROR`. */
export async function checkAssertion(assertion: Assertion, evidence: Evidence): Promise<AssertionResult> {
  const about = { kind: assertion.kind, expected: shorten(expectedOf(assertion), MAX_EXPECTED) };
  const finding = await decide(assertion, evidence).catch(
    (error: unknown): Finding => ({ outcome: "ERROR", reason: `It could not be decided: ${messageOf(error)}` }),
  );
  return evidence.masker.maskData({ ...about, ...finding });
}

function expectedOf(assertion: Assertion): string {
  switch (assertion.kind) {
    case "contains":
    case "not_contains":
      return assertion.text;
    case "matches":
      return assertion.pattern;
    case "file_exists":
      return assertion.path;
    case "command":
      return typeof assertion.command === "string" ? assertion.command : assertion.command.join(" ");
    case "json_schema":
      return JSON.stringify(assertion.schema);
    default:
      return assertion.criterion;
  }
}

async function decide(assertion: Assertion, evidence: Evidence): Promise<Finding> {
  const { finalMessage } = evidence;
  switch (assertion.kind) {
    case "contains":
      return found(finalMessage.includes(assertion.text), "The final message does not contain it.");
    case "not_contains":
      return found(!finalMessage.includes(assertion.text), "The final message contains it.");
    case "matches":
      return found(assertion.test(finalMessage), "The final message does not match it.");
    case "file_exists":
      return findFile(assertion.path, evidence);
    case "command":
      return runCommand(assertion, evidence);
    case "json_schema":
      return checkJson(assertion, evidence);
    default:
      return askJudge(assertion.criterion, evidence);
  }
}

function found(holds: boolean, reason: string): Finding {
  return holds ? { outcome: "PASS" } : { outcome: "FAIL", reason };
}

async function findFile(path: string, { environment }: Evidence): Promise<Finding> {
  try {
    const { kind } = await environment.stat(path);
    return found(kind === "file", `${path} is no file but a ${kind}.`);
  } catch (error) {
    // The engine created the content of the workspace.
    // For example, a symlink that leads out of the workspace is a FAIL, not an ERROR.
    if (EngineError.is(error) && error.code.startsWith("environment."))
      return { outcome: "FAIL", reason: error.message };
    throw error;
  }
}

async function runCommand(assertion: Assertion & { kind: "command" }, evidence: Evidence): Promise<Finding> {
  const { command, timeoutSeconds } = assertion;
  const { environment, signal, masker } = evidence;
  const options = { timeoutMs: timeoutSeconds * MS_PER_SECOND, signal };
  const run = (): Promise<ExecResult> =>
    typeof command === "string" ? environment.shell(command, options) : environment.exec(command, options);
  const ended = await run().catch((error: unknown) => {
    // A shell reports exit code 127 if a command does not exist. This is a FAIL, not an ERROR.
    if (EngineError.is(error, "environment.command_not_found")) return error;
    throw error;
  });
  if (EngineError.is(ended)) return { outcome: "FAIL", reason: ended.message };
  if (ended.aborted) throw new Error("it was stopped");
  // Masks before truncating, because the masker does not recognise a truncated secret.
  const printed = masker.mask([ended.stdout, ended.stderr].filter((text) => text.trim() !== "").join("\n"));
  const output = printed.length > MAX_OUTPUT ? `…${printed.slice(-MAX_OUTPUT)}` : printed;
  const shown = output === "" ? {} : { output };
  if (ended.timedOut) return { outcome: "FAIL", reason: `It did not end within ${timeoutSeconds} s.`, ...shown };
  if (ended.exitCode === 0) return { outcome: "PASS", ...shown };
  return { outcome: "FAIL", reason: `It ended with exit code ${ended.exitCode}.`, ...shown };
}

function checkJson({ check }: Assertion & { kind: "json_schema" }, { finalMessage }: Evidence): Finding {
  const parsed = jsonOf(finalMessage);
  if (parsed === undefined) return { outcome: "FAIL", reason: "The final message is no JSON." };
  const problem = check(parsed.value);
  return problem === undefined ? { outcome: "PASS" } : { outcome: "FAIL", reason: problem };
}

async function askJudge(criterion: string, evidence: Evidence): Promise<Finding> {
  const { judge, task, finalMessage, workspaceDiff, signal } = evidence;
  if (judge === undefined) throw new Error("there is no judge");
  const verdict = await judge({ criterion, task, finalMessage, workspaceDiff }, signal);
  evidence.onJudged(verdict.usage);
  return { outcome: verdict.holds ? "PASS" : "FAIL", reason: verdict.reason };
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
