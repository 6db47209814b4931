import { resolve } from "node:path";
import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type { Assertion, RuleAssertion } from "./eval-suite.ts";
import { below, type Field, fail, isAbsent, readCount, readMap, readText } from "./field.ts";
import { checkFile, readWorkspacePath } from "./parse-files.ts";
import { readPattern } from "./read-pattern.ts";
import { type DefaultPanel, readCriterion, readRubric } from "./read-rubric.ts";
import { RULE_NAMES, readNamedRule, readRule } from "./read-rules.ts";

/** Default timeout of a `command` assertion, in seconds. */
const COMMAND_TIMEOUT_SECONDS = 120;

/** Default timeout of a `script` assertion, in seconds. */
const SCRIPT_TIMEOUT_SECONDS = 120;

/** Settings that the assertions of a suite share. */
export interface AssertionDefaults {
  /** Folder of the suite file. */
  readonly directory: string;
  /** Judges of the suite. */
  readonly panel: DefaultPanel;
}

/** Settings of an entry of `assert`, except its kind. */
interface Entry extends AssertionDefaults {
  readonly timeout: Field;
}

type Reader = (field: Field, entry: Entry) => Promise<Assertion | undefined>;

const READERS: Readonly<Record<string, Reader>> = {
  contains: readContained("contains"),
  not_contains: readContained("not_contains"),
  matches: readPattern,
  file_exists: async (field) => {
    const path = readWorkspacePath(field);
    return path === undefined ? undefined : { kind: "file_exists", path };
  },
  command: readCommand,
  script: readScript,
  json_schema: readSchema,
  judge: async (field, { panel, timeout }) => withTimeout(readCriterion(field, panel), timeout),
  rubric: async (field, { timeout, ...defaults }) => withTimeout(await readRubric(field, defaults), timeout),
  not: async (field) => {
    const rule = await readRule(field);
    return rule === undefined ? undefined : { kind: "rule", rule, isForbidden: true, label: `not ${rule.name}` };
  },
};

const KINDS: readonly string[] = [...Object.keys(READERS), ...RULE_NAMES];

/** Kinds of assertions that have a time limit. */
const TIMED: readonly string[] = ["command", "script", "judge", "rubric"];

/** Reads one entry of `assert`: a map with exactly one kind of assertion. Compiles patterns and schemas. */
export async function parseAssertion(field: Field, defaults: AssertionDefaults): Promise<Assertion | undefined> {
  const { value } = field;
  if (!isRecord(value)) return fail(field, `must be a map with one of ${KINDS.join(", ")}`);
  const fields = readMap(field, [...KINDS, "timeout_seconds"]);
  const [kind, ...others] = Object.keys(value).filter((name) => KINDS.includes(name));
  if (kind === undefined || others.length > 0 || fields === undefined) {
    return fail(field, `must have exactly one of ${KINDS.join(", ")}`);
  }
  const timeout = fields("timeout_seconds");
  if (!TIMED.includes(kind) && !isAbsent(timeout)) fail(timeout, `goes with ${TIMED.join(", ")} only`);
  const own = fields(kind);
  if (isAbsent(own)) return fail(own, "must not be empty");
  const read = READERS[kind];
  return read === undefined ? readRuleAssertion(kind, own) : read(own, { ...defaults, timeout });
}

async function readRuleAssertion(name: string, field: Field): Promise<RuleAssertion | undefined> {
  const rule = await readNamedRule(name, field);
  return rule === undefined ? undefined : { kind: "rule", rule };
}

function withTimeout<T extends Assertion>(assertion: T | undefined, timeout: Field): T | undefined {
  const timeoutSeconds = readCount(timeout, 1);
  return assertion === undefined || timeoutSeconds === undefined ? assertion : { ...assertion, timeoutSeconds };
}

async function readScript(field: Field, { directory, timeout }: Entry): Promise<Assertion | undefined> {
  const name = readText(field);
  const timeoutSeconds = readCount(timeout, 1) ?? SCRIPT_TIMEOUT_SECONDS;
  const path = name === undefined ? undefined : await checkFile(field, resolve(directory, name));
  return name === undefined || path === undefined ? undefined : { kind: "script", path, name, timeoutSeconds };
}

function readContained(kind: "contains" | "not_contains"): Reader {
  return async (field) => {
    const text = readText(field);
    return text === undefined ? undefined : { kind, text };
  };
}

async function readCommand(field: Field, { timeout }: Entry): Promise<Assertion | undefined> {
  const timeoutSeconds = readCount(timeout, 1) ?? COMMAND_TIMEOUT_SECONDS;
  const { value } = field;
  if (!Array.isArray(value)) {
    const line = readText(field);
    return line === undefined ? undefined : { kind: "command", command: line, timeoutSeconds };
  }
  const args: unknown[] = value;
  if (args.length === 0) return fail(field, "must not be empty");
  const wrong = args.findIndex((argument) => typeof argument !== "string");
  if (wrong >= 0) return fail(below(field, wrong, args[wrong]), "must be a text; put it in quotes");
  return { kind: "command", command: args.filter((argument) => typeof argument === "string"), timeoutSeconds };
}

async function readSchema(field: Field): Promise<Assertion | undefined> {
  const { value: schema } = field;
  if (!isRecord(schema)) return fail(field, "must be a JSON Schema, a map");
  const { compileSchema } = await import("@switchyard/json-schema");
  try {
    return { kind: "json_schema", schema, check: compileSchema(schema, { subject: "the final message" }) };
  } catch (error) {
    return fail(field, `is not a usable JSON Schema: ${messageOf(error)}`);
  }
}
