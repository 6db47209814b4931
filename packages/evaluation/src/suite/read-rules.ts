import { isRecord } from "../files/is-record.ts";
import type { Rule, RulePattern } from "../rule/rule.ts";
import { below, type Field, fail, readList, readMap, required } from "./field.ts";
import { readWorkspacePath } from "./parse-files.ts";
import { readPattern } from "./read-pattern.ts";
import { readInteger, readScalar, readScalars } from "./scalar-fields.ts";

type Reader = (field: Field) => Promise<Rule | undefined>;

const READERS: Readonly<Record<string, Reader>> = {
  output_contains: async (field) => {
    const fields = readMap(field, ["all", "any", "not"]);
    if (fields === undefined) return undefined;
    const terms = { all: readScalars(fields("all")), any: readScalars(fields("any")), not: readScalars(fields("not")) };
    return { name: "output_contains", ...terms };
  },
  output_matches: async (field) => {
    const fields = readMap(field, ["all", "any", "not"]);
    if (fields === undefined) return undefined;
    const [all, any, not] = [fields("all"), fields("any"), fields("not")];
    const patterns = { all: await readPatterns(all), any: await readPatterns(any), not: await readPatterns(not) };
    return { name: "output_matches", ...patterns };
  },
  exit_code: async (field) => {
    const code = required(field, readInteger);
    return code === undefined ? undefined : { name: "exit_code", code };
  },
  files_exist: readFiles("files_exist"),
  files_not_exist: readFiles("files_not_exist"),
  tool_called: readTool("tool_called"),
  tool_called_in_turn: readTool("tool_called_in_turn"),
  tool_not_called_in_turn: readTool("tool_not_called_in_turn"),
  turn_response_contains: async (field) => {
    const fields = readMap(field, ["turn", "contains_all", "contains_any"]);
    const turn = fields === undefined ? undefined : readTurnNumber(fields("turn"));
    if (fields === undefined || turn === undefined) return undefined;
    const terms = { all: readScalars(fields("contains_all")), any: readScalars(fields("contains_any")), not: [] };
    if (terms.all.length + terms.any.length === 0) fail(field, "needs contains_all or contains_any");
    return { name: "turn_response_contains", turn, ...terms };
  },
  turn_response_not_contains: async (field) => {
    const fields = readMap(field, ["turn", "not_contains"]);
    const turn = fields === undefined ? undefined : readTurnNumber(fields("turn"));
    if (fields === undefined || turn === undefined) return undefined;
    const not = required(fields("not_contains"), readScalars) ?? [];
    return { name: "turn_response_not_contains", turn, all: [], any: [], not };
  },
};

/** Names of all rules. */
export const RULE_NAMES: readonly string[] = Object.keys(READERS);

/** Reads the rules of a rule-based judge. */
export async function readRules(field: Field): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (const entry of readList(field)) {
    const rule = await readRule(entry);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/** Reads one rule: a map with exactly one of the rule names. */
export async function readRule(field: Field): Promise<Rule | undefined> {
  const { value } = field;
  const names = isRecord(value) ? Object.keys(value) : [];
  const [name = ""] = names;
  if (!isRecord(value) || names.length !== 1) return fail(field, `must be a map with one of ${RULE_NAMES.join(", ")}`);
  return readNamedRule(name, below(field, name, value[name]));
}

/** Reads the settings of a rule, given its name. */
export async function readNamedRule(name: string, field: Field): Promise<Rule | undefined> {
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return read === undefined ? fail(field, `is not a known rule; known are ${RULE_NAMES.join(", ")}`) : read(field);
}

async function readPatterns(field: Field): Promise<RulePattern[]> {
  const patterns: RulePattern[] = [];
  for (const entry of readList(field)) {
    const pattern = await readPattern(entry);
    if (pattern !== undefined) patterns.push({ source: pattern.pattern, test: pattern.test });
  }
  return patterns;
}

function readFiles(name: "files_exist" | "files_not_exist"): Reader {
  return async (field) => ({ name, paths: readWorkspacePaths(field) });
}

/** Reads a list of paths inside the workspace. */
export function readWorkspacePaths(field: Field): string[] {
  return readList(field).flatMap((entry) => readWorkspacePath(entry) ?? []);
}

function readTool(name: "tool_called" | "tool_called_in_turn" | "tool_not_called_in_turn"): Reader {
  const isOfTurn = name !== "tool_called";
  const known = [...(isOfTurn ? ["turn"] : []), "name", ...(name === "tool_not_called_in_turn" ? [] : ["args"])];
  return async (field) => {
    const fields = readMap(field, known);
    if (fields === undefined) return undefined;
    const tool = required(fields("name"), readScalar);
    const turn = isOfTurn ? readTurnNumber(fields("turn")) : undefined;
    const { value: args = {} } = fields("args");
    if (args !== null && !isRecord(args)) return fail(fields("args"), "must be a map");
    return tool === undefined ? undefined : { name, tool, args: args ?? {}, turn };
  };
}

function readTurnNumber(field: Field): number | undefined {
  const turn = required(field, readInteger);
  return turn !== undefined && turn < 1 ? fail(field, "must be 1 or more") : turn;
}
