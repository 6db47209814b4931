import { EngineError, type ExecResult, messageOf } from "@switchyard/contracts";
import { checkRubric } from "../judge/check-rubric.ts";
import { jsonOf } from "../model/json-of.ts";
import type { AssertionResult } from "../results/trial-result.ts";
import { checkRule } from "../rule/check-rule.ts";
import { describeRule } from "../rule/describe-rule.ts";
import type { Assertion } from "../suite/eval-suite.ts";
import type { Evidence, Finding } from "./evidence.ts";
import { runScript } from "./run-script.ts";

const MS_PER_SECOND = 1_000;
/** Maximum length of the stored command output, in characters. */
const MAX_OUTPUT = 8_000;
/** Maximum length of `expected`, in characters. */
const MAX_EXPECTED = 300;

/** Checks one assertion. Never rejects: an assertion that cannot be checked ends in `ERROR`. */
export async function checkAssertion(assertion: Assertion, evidence: Evidence): Promise<AssertionResult> {
  const about = aboutOf(assertion);
  const finding = await decide(assertion, evidence).catch(
    (error: unknown): Finding => ({ outcome: "ERROR", reason: `It could not be checked: ${messageOf(error)}` }),
  );
  return evidence.masker.maskData({ ...about, ...finding });
}

/** Returns the result of an assertion that was not checked. */
export function skipAssertion(assertion: Assertion, reason: string): AssertionResult {
  return { ...aboutOf(assertion), outcome: "SKIPPED", reason };
}

function aboutOf(assertion: Assertion): Pick<AssertionResult, "kind" | "expected" | "judge"> {
  const { kind } = assertion;
  const label = "label" in assertion ? assertion.label : undefined;
  const name = label ?? (kind === "rule" ? assertion.rule.name : kind);
  const judge = assertion.judge === undefined ? {} : { judge: assertion.judge };
  return { kind: name, expected: shorten(expectedOf(assertion), MAX_EXPECTED), ...judge };
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
    case "rule":
      return describeRule(assertion.rule);
    case "script":
      return assertion.name;
    default:
      return assertion.criteria.map(({ text }) => text).join("; ");
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
    case "rule":
      return decideRule(assertion, evidence);
    case "script":
      return runScript(assertion, evidence);
    default:
      return checkRubric(assertion, evidence);
  }
}

function found(holds: boolean, reason: string): Finding {
  return holds ? { outcome: "PASS" } : { outcome: "FAIL", reason };
}

async function findFile(path: string, { environment }: Evidence): Promise<Finding> {
  try {
    const { kind } = await environment.stat(path);
    return found(kind === "file", `${path} is a ${kind}, not a file.`);
  } catch (error) {
    // Problems with the content of the workspace are a FAIL, not an ERROR, because the engine created that content. An
    // example is a symlink that leads out of the workspace.
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

async function decideRule({ rule, isForbidden }: Assertion & { kind: "rule" }, evidence: Evidence): Promise<Finding> {
  const problem = await checkRule(rule, evidence);
  if (isForbidden === true)
    return problem === undefined ? { outcome: "FAIL", reason: "The failure rule matches." } : { outcome: "PASS" };
  return problem === undefined ? { outcome: "PASS" } : { outcome: "FAIL", reason: problem };
}

function checkJson({ check }: Assertion & { kind: "json_schema" }, { finalMessage }: Evidence): Finding {
  const parsed = jsonOf(finalMessage);
  if (parsed === undefined) return { outcome: "FAIL", reason: "The final message is not JSON." };
  const problem = check(parsed.value);
  return problem === undefined ? { outcome: "PASS" } : { outcome: "FAIL", reason: problem };
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
