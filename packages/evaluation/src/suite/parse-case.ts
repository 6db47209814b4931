import type { SessionMessage, SessionRole } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import { checkTurnNumbers } from "./check-turn-numbers.ts";
import type { Assertion, EvalCase } from "./eval-suite.ts";
import {
  below,
  type Field,
  type FieldsByName,
  fail,
  isAbsent,
  readAnyText,
  readCount,
  readList,
  readMap,
  readText,
  readTexts,
  required,
} from "./field.ts";
import { type AssertionDefaults, parseAssertion } from "./parse-assertion.ts";
import { parseFiles, readFolder } from "./parse-files.ts";
import { readGlobs } from "./read-globs.ts";
import { readName, refuseTwins } from "./read-name.ts";
import { readTags } from "./read-tags.ts";
import { type CaseInput, readTurns, toInput } from "./read-turns.ts";

/** Defaults for cases, from the suite file. */
export interface CaseDefaults extends AssertionDefaults {
  /** Default workspace template: a folder that is copied. */
  readonly workspace: string | undefined;
  /** Default timeout of a session, in seconds. */
  readonly timeoutSeconds: number;
  /** Default maximum number of turns. `undefined`: no limit. */
  readonly maxTurns: number | undefined;
  /** Whether the suite file names a model for simulated users. */
  readonly hasSimulatedUser: boolean;
}

const KNOWN = [
  ...["id", "title", "tags", "prompt", "messages", "turns", "scenario", "workspace", "files", "kwargs"],
  ...["timeout_seconds", "max_turns", "assert", "judges", "assert_files", "collect_artifacts"],
];
const ROLES: readonly SessionRole[] = ["system", "user", "assistant", "tool"];

/** Reads one case. */
export async function parseCase(field: Field, defaults: CaseDefaults): Promise<EvalCase | undefined> {
  const fields = isAbsent(field) ? fail(field, "must be a map") : readMap(field, KNOWN);
  if (fields === undefined) return undefined;
  const id = required(fields("id"), readName);
  const input = await readInput(field, fields, defaults);
  const judged = await readJudges(fields("judges"), defaults);
  const plain = await readAssertions(fields("assert"), defaults);
  checkTurnNumbers(fields("assert"), { ...input, assertions: plain });
  checkTurnNumbers(fields("judges"), { ...input, assertions: judged });
  return {
    id: id ?? "",
    title: readText(fields("title")),
    tags: readTags(fields("tags")),
    ...input,
    workspace: (await readFolder(fields("workspace"), defaults.directory)) ?? defaults.workspace,
    files: await parseFiles(fields("files"), defaults.directory),
    kwargs: readTexts(fields("kwargs")),
    timeoutSeconds: readCount(fields("timeout_seconds"), 1) ?? defaults.timeoutSeconds,
    maxTurns: readCount(fields("max_turns"), 1) ?? defaults.maxTurns,
    assertFiles: await parseFiles(fields("assert_files"), defaults.directory),
    assertions: [...plain, ...judged],
    ...(judged.length === 0 ? {} : { hasIndependentJudges: true }),
    collect: await readGlobs(fields("collect_artifacts")),
  };
}

async function readAssertions(field: Field, defaults: AssertionDefaults): Promise<Assertion[]> {
  const assertions: Assertion[] = [];
  for (const entry of readList(field)) {
    const assertion = await parseAssertion(entry, defaults);
    if (assertion !== undefined) assertions.push(assertion);
  }
  return assertions;
}

/** Reads `judges`: named groups of assertions, each of which is checked in its own copy of the workspace. */
async function readJudges(field: Field, defaults: AssertionDefaults): Promise<Assertion[]> {
  const entries = readList(field);
  refuseTwins(entries.map((entry) => below(entry, "id", isRecord(entry.value) ? entry.value["id"] : undefined)));
  const assertions: Assertion[] = [];
  for (const entry of entries) {
    const fields = isAbsent(entry) ? fail(entry, "must be a map") : readMap(entry, ["id", "assert"]);
    if (fields === undefined) continue;
    const judge = required(fields("id"), readName);
    const own = await readAssertions(fields("assert"), defaults);
    if (readList(fields("assert")).length === 0) fail(fields("assert"), "must have at least one assertion");
    if (own.some((assertion) => assertion.judge !== undefined))
      fail(fields("assert"), "has a rubric with an id, and the judge already has one");
    assertions.push(...own.map((assertion) => ({ ...assertion, judge })));
  }
  return assertions;
}

async function readInput(field: Field, fields: FieldsByName, { hasSimulatedUser }: CaseDefaults): Promise<CaseInput> {
  const [prompt, messages, turns] = [fields("prompt"), fields("messages"), fields("turns")];
  const given = [prompt, messages, turns].filter((one) => !isAbsent(one));
  if (given.length === 0) fail(field, "needs prompt, messages or turns");
  const names = given.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)).join(" and ");
  if (given.length > 1) fail(field, `has ${given.length > 2 ? "" : "both "}${names}; keep one`);
  const scenario = readText(fields("scenario"));
  if (scenario !== undefined && !hasSimulatedUser)
    fail(fields("scenario"), "needs simulated_user with a model in the evaluation file");
  if (!isAbsent(messages)) {
    if (scenario !== undefined) fail(fields("scenario"), "goes with prompt or turns");
    return { messages: readMessages(messages) };
  }
  const read = await readTurns(turns, { isRoleOptional: true });
  const responds = read.findIndex(({ respond }) => respond !== undefined);
  if (responds >= 0 && scenario === undefined)
    fail(turns, `has a turn with respond (${responds}), which requires scenario`);
  return toInput(readText(prompt), read, scenario);
}

function readMessages(messages: Field): SessionMessage[] {
  const read = readList(messages).map(readMessage);
  const known = read.filter((message) => message !== undefined);
  const hasUser = known.some(({ role }) => role === "user");
  if (known.length === read.length && !hasUser) fail(messages, "must have at least one message with the role user");
  return known;
}

function readMessage(field: Field): SessionMessage | undefined {
  const fields = isAbsent(field) ? fail(field, "must be a map") : readMap(field, ["role", "content"]);
  if (fields === undefined) return undefined;
  const role = required(fields("role"), readRole);
  const content = required(fields("content"), readAnyText);
  return role === undefined || content === undefined ? undefined : { role, content };
}

function readRole(field: Field): SessionRole | undefined {
  const role = ROLES.find((known) => known === field.value);
  return role ?? fail(field, `must be one of ${ROLES.join(", ")}`);
}
