import { EngineError, messageOf } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type { Assertion } from "./eval-suite.ts";
import { below, type Field, fail, isAbsent, readCount, readMap, readText } from "./field.ts";
import { readWorkspacePath } from "./parse-files.ts";

/** Default timeout of a `command` assertion, in seconds. */
const COMMAND_TIMEOUT_SECONDS = 120;

type Kind = Assertion["kind"];
type Reader = (field: Field, timeout: Field) => Promise<Assertion | undefined>;

const READERS: Readonly<Record<Exclude<Kind, "rule" | "script" | "rubric">, Reader>> = {
  contains: readContained("contains"),
  not_contains: readContained("not_contains"),
  matches: readPattern,
  file_exists: async (field) => {
    const path = readWorkspacePath(field);
    return path === undefined ? undefined : { kind: "file_exists", path };
  },
  command: readCommand,
  json_schema: readSchema,
  judge: async (field) => {
    const criterion = readText(field);
    return criterion === undefined ? undefined : { kind: "judge", criterion };
  },
};

const KINDS: readonly string[] = Object.keys(READERS);

function isKind(name: string): name is keyof typeof READERS {
  return Object.hasOwn(READERS, name);
}

/** Reads one entry of `assert`: a map with exactly one kind of assertion. Compiles patterns and schemas. */
export async function parseAssertion(field: Field): Promise<Assertion | undefined> {
  const { value } = field;
  if (!isRecord(value)) return fail(field, `must be a map with one of ${KINDS.join(", ")}`);
  const fields = readMap(field, [...KINDS, "timeout_seconds"]);
  const found = Object.keys(value).filter(isKind);
  const [kind] = found;
  if (kind === undefined || found.length > 1 || fields === undefined) {
    return fail(field, `must have exactly one of ${KINDS.join(", ")}`);
  }
  const timeout = fields("timeout_seconds");
  if (kind !== "command" && !isAbsent(timeout)) fail(timeout, "goes with command only");
  const kindFields = fields(kind);
  return isAbsent(kindFields) ? fail(kindFields, "must not be empty") : READERS[kind](kindFields, timeout);
}

function readContained(kind: "contains" | "not_contains"): Reader {
  return async (field) => {
    const text = readText(field);
    return text === undefined ? undefined : { kind, text };
  };
}

/** Reads and compiles a regular expression. */
export async function readPattern(field: Field): Promise<(Assertion & { kind: "matches" }) | undefined> {
  const pattern = readText(field);
  if (pattern === undefined) return undefined;
  const { compileLineMatcher } = await import("@switchyard/environment");
  try {
    return { kind: "matches", pattern, test: await compileLineMatcher(pattern, false) };
  } catch (error) {
    const cause = EngineError.is(error) ? error.details["problem"] : error;
    return fail(field, `is no pattern of RE2: ${messageOf(cause)}`);
  }
}

async function readCommand(field: Field, timeout: Field): Promise<Assertion | undefined> {
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
    return fail(field, `is no JSON Schema that can be used: ${messageOf(error)}`);
  }
}
