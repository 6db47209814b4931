import type { SessionMessage, SessionRole } from "@switchyard/contracts";
import type { Assertion, EvalCase } from "./eval-suite.ts";
import {
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
import { parseAssertion } from "./parse-assertion.ts";
import { parseFiles, readFolder } from "./parse-files.ts";

/** Defaults for cases, from the suite file. */
export interface CaseDefaults {
  /** Folder of the suite file. */
  readonly directory: string;
  /** Default workspace template: a folder that is copied. */
  readonly workspace: string | undefined;
  /** Default timeout of a session, in seconds. */
  readonly timeoutSeconds: number;
  /** Default maximum number of turns. `undefined`: no limit. */
  readonly maxTurns: number | undefined;
}

const KNOWN = [
  ...["id", "prompt", "messages", "workspace", "files", "kwargs", "timeout_seconds", "max_turns", "assert"],
  "assert_files",
];
const ROLES: readonly SessionRole[] = ["system", "user", "assistant", "tool"];

/** Reads one case. */
export async function parseCase(field: Field, defaults: CaseDefaults): Promise<EvalCase | undefined> {
  const fields = isAbsent(field) ? fail(field, "must be a map") : readMap(field, KNOWN);
  if (fields === undefined) return undefined;
  const id = required(fields("id"), readName);
  const messages = readConversation(field, fields);
  const assertions: Assertion[] = [];
  for (const entry of readList(fields("assert"))) {
    const assertion = await parseAssertion(entry);
    if (assertion !== undefined) assertions.push(assertion);
  }
  return {
    id: id ?? "",
    messages,
    workspace: (await readFolder(fields("workspace"), defaults.directory)) ?? defaults.workspace,
    files: await parseFiles(fields("files"), defaults.directory),
    kwargs: readTexts(fields("kwargs")),
    timeoutSeconds: readCount(fields("timeout_seconds"), 1) ?? defaults.timeoutSeconds,
    maxTurns: readCount(fields("max_turns"), 1) ?? defaults.maxTurns,
    assertFiles: await parseFiles(fields("assert_files"), defaults.directory),
    assertions,
  };
}

/** Maximum length of an id or name, in characters. Reports use them as table headings. */
const MAX_NAME = 100;

/** Reads the name of a case or variant, as it is shown in reports. */
export function readName(field: Field): string | undefined {
  const name = readText(field);
  if (name === undefined) return undefined;
  if (/\p{Cc}/u.test(name) || name !== name.trim()) return fail(field, "must be one line without spaces round it");
  return name.length > MAX_NAME ? fail(field, `must have at most ${MAX_NAME} characters`) : name;
}

function readConversation(field: Field, fields: FieldsByName): SessionMessage[] {
  const [prompt, messages] = [fields("prompt"), fields("messages")];
  if (!isAbsent(prompt) && !isAbsent(messages)) fail(field, "has both prompt and messages; keep one");
  if (isAbsent(messages)) {
    if (isAbsent(prompt)) fail(field, "needs prompt or messages");
    const content = readText(prompt);
    return content === undefined ? [] : [{ role: "user", content }];
  }
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

/** Records a problem for each duplicate name. */
export function refuseTwins(names: readonly Field[]): void {
  const seen = new Map<unknown, string>();
  for (const field of names) {
    if (isAbsent(field) || field.value === "") continue;
    const first = seen.get(field.value);
    if (first === undefined) seen.set(field.value, field.path);
    else fail(field, `is the same as ${first}; each needs one of its own`);
  }
}
