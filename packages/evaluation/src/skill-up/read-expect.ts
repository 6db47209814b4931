import type { Assertion, RuleAssertion } from "../suite/eval-suite.ts";
import { type Field, type FieldsByName, isAbsent, readList, readMap, required } from "../suite/field.ts";
import { readWorkspacePath } from "../suite/parse-files.ts";
import { readWorkspacePaths } from "../suite/read-rules.ts";
import { readInteger, readScalar, readScalars } from "../suite/scalar-fields.ts";
import { readSkillPath, type SkillFolder } from "./skill-folder.ts";

const KNOWN = [
  ...["must_contain", "must_not_contain", "exit_code", "files_exist", "files_not_exist", "file_contains"],
  "golden_file",
];

/** Expectations of a case: checks that run before the judges. */
export interface Expectations {
  readonly mustContain: readonly string[];
  readonly mustNotContain: readonly string[];
  readonly filesExist: readonly string[];
  readonly filesNotExist: readonly string[];
  readonly fileContains: readonly { readonly path: string; readonly text: string }[];
  readonly exitCode?: number | undefined;
  readonly goldenFile?: string | undefined;
}

/** Reads an `expect` block. */
export async function readExpectations(field: Field, folder: SkillFolder): Promise<Expectations> {
  const fields: FieldsByName = readMap(field, KNOWN) ?? (() => ({ ...field, value: undefined }));
  return {
    mustContain: readScalars(fields("must_contain")),
    mustNotContain: readScalars(fields("must_not_contain")),
    filesExist: readWorkspacePaths(fields("files_exist")),
    filesNotExist: readWorkspacePaths(fields("files_not_exist")),
    fileContains: readList(fields("file_contains")).flatMap((entry) => readFileContains(entry) ?? []),
    exitCode: readInteger(fields("exit_code")),
    goldenFile: await readSkillPath(fields("golden_file"), folder, "file"),
  };
}

function readFileContains(field: Field): { path: string; text: string } | undefined {
  const fields = readMap(field, ["path", "content"]);
  if (fields === undefined) return undefined;
  const path = required(fields("path"), readWorkspacePath);
  const content = fields("content");
  const text = isAbsent(content) ? "" : readScalar(content);
  return path === undefined ? undefined : { path, text: text ?? "" };
}

/** Adds the expectations of a case to the defaults: lists are joined, single values are replaced. */
export function mergeExpectations(defaults: Expectations, own: Expectations): Expectations {
  const joined = (name: "mustContain" | "mustNotContain" | "filesExist" | "filesNotExist"): string[] => [
    ...new Set([...defaults[name], ...own[name]]),
  ];
  const contents = [...defaults.fileContains, ...own.fileContains];
  const isFirst = (one: { path: string; text: string }, index: number): boolean =>
    contents.findIndex(({ path, text }) => path === one.path && text === one.text) === index;
  return {
    mustContain: joined("mustContain"),
    mustNotContain: joined("mustNotContain"),
    filesExist: joined("filesExist"),
    filesNotExist: joined("filesNotExist"),
    fileContains: contents.filter(isFirst),
    exitCode: own.exitCode ?? defaults.exitCode,
    goldenFile: own.goldenFile ?? defaults.goldenFile,
  };
}

/** Converts expectations to assertions. */
export function toGates(expectations: Expectations): Assertion[] {
  const { mustContain, mustNotContain, exitCode, filesExist, filesNotExist, goldenFile, fileContains } = expectations;
  const gates: RuleAssertion[] = [];
  const add = (label: string, rule: RuleAssertion["rule"]): void => {
    gates.push({ kind: "rule", rule, label: `expect.${label}` });
  };
  if (mustContain.length > 0) add("must_contain", { name: "output_contains", all: mustContain, any: [], not: [] });
  if (mustNotContain.length > 0)
    add("must_not_contain", { name: "output_contains", all: [], any: [], not: mustNotContain });
  if (exitCode !== undefined) add("exit_code", { name: "exit_code", code: exitCode });
  if (filesExist.length > 0) add("files_exist", { name: "files_exist", paths: filesExist });
  if (filesNotExist.length > 0) add("files_not_exist", { name: "files_not_exist", paths: filesNotExist });
  if (goldenFile !== undefined) add("golden_file", { name: "golden_file", path: goldenFile });
  for (const one of fileContains) add("file_contains", { name: "file_contains", ...one });
  return gates;
}
