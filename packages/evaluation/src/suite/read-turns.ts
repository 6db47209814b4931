import type { EvalCase, EvalTurn, TurnCapture, TurnCondition } from "./eval-suite.ts";
import { type Field, fail, isAbsent, readCount, readList, readMap, required } from "./field.ts";
import { compileJsonPath } from "./json-path.ts";
import { readOneOf, readScalar, readScalars } from "./scalar-fields.ts";

const KNOWN = ["role", "content", "respond", "post_condition", "capture", "timeout_seconds"];

/** Messages of the user in a case. */
export type CaseInput = Pick<EvalCase, "messages" | "turns" | "scenario" | "isOpenEnded">;

/** Options for `readTurns`. */
export interface ReadTurnsOptions {
  /** Whether a turn without `role` is a turn of the user. */
  readonly isRoleOptional: boolean;
}

/**
 * Returns the input of a case. With a scenario and without a list of turns, the prompt is the first message. The
 * simulated user then continues the conversation, and decides when it ends.
 */
export function toInput(
  prompt: string | undefined,
  turns: readonly EvalTurn[],
  scenario: string | undefined,
): CaseInput {
  if (turns.length > 0) return { messages: [], turns, ...(scenario === undefined ? {} : { scenario }) };
  const content = prompt ?? "";
  if (scenario === undefined) return { messages: [{ role: "user", content }] };
  return { messages: [], turns: [{ content, captures: [] }], scenario, isOpenEnded: true };
}

/** Reads the turns of a conversation. */
export async function readTurns(field: Field, options: ReadTurnsOptions): Promise<EvalTurn[]> {
  const turns: EvalTurn[] = [];
  for (const entry of readList(field)) {
    const turn = await readTurn(entry, options);
    if (turn !== undefined) turns.push(turn);
  }
  return turns;
}

async function readTurn(field: Field, { isRoleOptional }: ReadTurnsOptions): Promise<EvalTurn | undefined> {
  const fields = isAbsent(field) ? fail(field, "must be a map") : readMap(field, KNOWN);
  if (fields === undefined) return undefined;
  if (!isAbsent(fields("role"))) readOneOf(fields("role"), ["user"]);
  else if (!isRoleOptional) fail(fields("role"), "is required");
  const [content, respond] = [readScalar(fields("content")), readScalar(fields("respond"))];
  if (content !== undefined && respond !== undefined) fail(field, "has both content and respond; keep one");
  if (content === undefined && respond === undefined) fail(fields("content"), "is required, or respond");
  const timeout = fields("timeout_seconds");
  return {
    content,
    respond,
    condition: readCondition(fields("post_condition")),
    captures: await readCaptures(fields("capture")),
    timeoutSeconds: timeout.value === 0 ? undefined : readCount(timeout, 1),
  };
}

function readCondition(field: Field): TurnCondition | undefined {
  if (isAbsent(field)) return undefined;
  const fields = readMap(field, ["must_contain_all", "must_contain_any", "must_not_contain", "on_fail"]);
  if (fields === undefined) return undefined;
  const [all, any, not] = ["must_contain_all", "must_contain_any", "must_not_contain"].map((name) =>
    readScalars(fields(name)),
  );
  if (![all, any, not].some((terms = []) => terms.length > 0))
    fail(field, "needs must_contain_all, must_contain_any or must_not_contain");
  return {
    ...{ all: all ?? [], any: any ?? [], not: not ?? [] },
    onFail: readOneOf(fields("on_fail"), ["fail", "skip_remaining"]) ?? "fail",
  };
}

async function readCaptures(field: Field): Promise<TurnCapture[]> {
  const captures: TurnCapture[] = [];
  for (const entry of readList(field)) {
    const capture = await readCapture(entry);
    if (capture !== undefined) captures.push(capture);
  }
  return captures;
}

async function readCapture(field: Field): Promise<TurnCapture | undefined> {
  const fields = readMap(field, ["variable", "pattern", "jsonpath"]);
  if (fields === undefined) return undefined;
  const name = required(fields("variable"), readScalar);
  if (name !== undefined && !/^\w+$/u.test(name))
    fail(fields("variable"), "must consist of letters, digits and underscores");
  const [pattern, path] = [readScalar(fields("pattern")), readScalar(fields("jsonpath"))];
  if ((pattern === undefined) === (path === undefined)) return fail(field, "needs either pattern or jsonpath");
  const extract =
    pattern === undefined ? readJsonPath(fields("jsonpath"), path ?? "") : await compile(fields("pattern"), pattern);
  return name === undefined || extract === undefined ? undefined : { name, extract, source: pattern ?? path ?? "" };
}

function readJsonPath(field: Field, path: string): TurnCapture["extract"] | undefined {
  return compileJsonPath(path) ?? fail(field, `is not a supported path: ${path}. Use $, .name, ['name'] and [0]`);
}

/** Compiles a pattern that captures a value with its group `value` or, without this group, with its only group. */
async function compile(field: Field, pattern: string): Promise<TurnCapture["extract"] | undefined> {
  const { compileCapture } = await import("@switchyard/environment");
  const compiled = await compileCapture(pattern);
  return "problem" in compiled ? fail(field, compiled.problem) : compiled.capture;
}
