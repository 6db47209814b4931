import { readFile } from "node:fs/promises";
import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { TurnRecord } from "../conversation/turn-record.ts";
import { isToolCalled } from "./is-tool-called.ts";
import type { Rule, Terms } from "./rule.ts";

/** Facts that rules are checked against. */
export interface RuleEvidence {
  /** Final message of the engine. */
  readonly finalMessage: string;
  /** Exit code of the engine's result. */
  readonly exitCode: number;
  /** Turns of the conversation, in order. */
  readonly turns: readonly TurnRecord[];
  /** Environment with the workspace. */
  readonly environment: ExecutionEnvironment;
}

/** Returns why a rule does not match. `undefined` if it matches. */
export async function checkRule(rule: Rule, evidence: RuleEvidence): Promise<string | undefined> {
  const { finalMessage, exitCode } = evidence;
  switch (rule.name) {
    case "output_contains":
      return checkTerms(rule, { subject: "The final message", text: finalMessage });
    case "output_matches":
      return checkPatterns(rule, finalMessage);
    case "exit_code":
      return exitCode === rule.code ? undefined : `The exit code is ${exitCode}, not ${rule.code}.`;
    case "files_exist":
    case "files_not_exist":
      return checkFiles(rule, evidence);
    case "file_contains":
      return checkContent(rule, evidence);
    case "golden_file":
      return checkGolden(rule.path, finalMessage);
    case "turn_response_contains":
    case "turn_response_not_contains":
      return withTurn(rule.turn, evidence, ({ response }) =>
        checkTerms(rule, { subject: `The response to turn ${rule.turn}`, text: response }),
      );
    default:
      return checkTool(rule, evidence);
  }
}

function checkTerms({ all, any, not }: Terms, { subject, text }: { subject: string; text: string }) {
  const missing = all.find((term) => !text.includes(term));
  if (missing !== undefined) return `${subject} does not contain ${JSON.stringify(missing)}.`;
  if (any.length > 0 && !any.some((term) => text.includes(term))) return `${subject} contains none of ${list(any)}.`;
  const forbidden = not.find((term) => text.includes(term));
  return forbidden === undefined ? undefined : `${subject} contains ${JSON.stringify(forbidden)}.`;
}

function checkPatterns({ all, any, not }: Extract<Rule, { name: "output_matches" }>, text: string) {
  const missing = all.find(({ test }) => !test(text));
  if (missing !== undefined) return `The final message does not match ${missing.source}.`;
  if (any.length > 0 && !any.some(({ test }) => test(text)))
    return `The final message matches none of ${any.map(({ source }) => source).join(", ")}.`;
  const forbidden = not.find(({ test }) => test(text));
  return forbidden === undefined ? undefined : `The final message matches ${forbidden.source}.`;
}

function list(terms: readonly string[]): string {
  return terms.map((term) => JSON.stringify(term)).join(", ");
}

async function checkFiles(
  { name, paths }: Extract<Rule, { name: "files_exist" | "files_not_exist" }>,
  { environment }: RuleEvidence,
): Promise<string | undefined> {
  for (const path of paths) {
    const exists = await existsInside(environment, path);
    if (exists === undefined) return `The path ${path} leaves the workspace.`;
    if (exists !== (name === "files_exist")) return `The file ${path} ${exists ? "exists" : "does not exist"}.`;
  }
  return undefined;
}

/** Returns `undefined` if the path leaves the workspace, for example through a symlink that the engine created. */
async function existsInside(environment: ExecutionEnvironment, path: string): Promise<boolean | undefined> {
  try {
    await environment.stat(path);
    return true;
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return false;
    if (EngineError.is(error) && error.code.startsWith("environment.")) return undefined;
    throw error;
  }
}

async function checkContent(
  { path, text }: Extract<Rule, { name: "file_contains" }>,
  { environment }: RuleEvidence,
): Promise<string | undefined> {
  try {
    const content = new TextDecoder().decode(await environment.readBytes(path));
    return content.includes(text) ? undefined : `The file ${path} does not contain ${JSON.stringify(text)}.`;
  } catch (error) {
    if (EngineError.is(error) && error.code.startsWith("environment.")) return error.message;
    throw error;
  }
}

async function checkGolden(path: string, finalMessage: string): Promise<string | undefined> {
  let expected: string;
  try {
    expected = (await readFile(path, "utf8")).trim();
  } catch (error) {
    return `The golden file ${path} could not be read: ${messageOf(error)}`;
  }
  const actual = finalMessage.trim();
  if (expected === actual) return undefined;
  const end = Math.min(expected.length, actual.length);
  let first = 0;
  while (first < end && expected[first] === actual[first]) first += 1;
  const from = Math.max(0, first - 20);
  const around = (text: string): string => JSON.stringify(text.slice(from, first + 20));
  return `The final message differs from the golden file at character ${first}: ${around(actual)}, not ${around(expected)}.`;
}

function checkTool(rule: Extract<Rule, { tool: string }>, evidence: RuleEvidence): string | undefined {
  const { tool, turn, name } = rule;
  if (turn === undefined) {
    const isCalled = evidence.turns.some(({ transcript }) => isToolCalled(rule, transcript));
    return isCalled ? undefined : `The tool ${tool} was not called${argumentsOf(rule.args)}.`;
  }
  return withTurn(turn, evidence, ({ transcript }) => {
    const isCalled = isToolCalled(rule, transcript);
    if (isCalled === (name === "tool_called_in_turn")) return undefined;
    const verb = isCalled ? "was called" : "was not called";
    return `The tool ${tool} ${verb} in turn ${turn}${isCalled ? "" : argumentsOf(rule.args)}.`;
  });
}

function argumentsOf(args: Readonly<Record<string, unknown>>): string {
  return Object.keys(args).length === 0 ? "" : ` with ${JSON.stringify(args)}`;
}

/** Only turns that ended normally can satisfy a rule. */
function withTurn(
  number: number,
  { turns }: RuleEvidence,
  check: (turn: TurnRecord) => string | undefined,
): string | undefined {
  const turn = turns[number - 1];
  if (turn === undefined) return `There is no turn ${number}; the conversation has ${turns.length}.`;
  if (turn.status !== "completed") return `Turn ${number} was ${turn.status}: ${turn.reason ?? ""}`.trimEnd();
  return check(turn);
}
