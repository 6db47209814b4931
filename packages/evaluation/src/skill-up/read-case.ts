import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { messageOf } from "@switchyard/contracts";
import { checkTurnNumbers } from "../suite/check-turn-numbers.ts";
import type { EvalCase, EvalFile, GitSetup } from "../suite/eval-suite.ts";
import {
  type Field,
  type FieldsByName,
  fail,
  isAbsent,
  readAnyText,
  readEntries,
  readList,
  readMap,
  required,
} from "../suite/field.ts";
import { parseDocument } from "../suite/parse-document.ts";
import { readWorkspacePath } from "../suite/parse-files.ts";
import { readGlobs } from "../suite/read-globs.ts";
import { readName } from "../suite/read-name.ts";
import { readTags } from "../suite/read-tags.ts";
import { type CaseInput, readTurns, toInput } from "../suite/read-turns.ts";
import { readFlag, readInteger, readScalar } from "../suite/scalar-fields.ts";
import { type Expectations, mergeExpectations, readExpectations, toGates } from "./read-expect.ts";
import { type JudgeDefaults, readJudges } from "./read-judges.ts";
import { type McpServersByName, readMcp } from "./read-mcp.ts";
import { readSkillPath, type SkillFolder } from "./skill-folder.ts";

const KNOWN = [
  ...["id", "title", "description", "tag", "input", "context", "constraints", "expect", "judge", "judges", "mcp"],
  ...["collect_artifacts", "user_simulator"],
];

/** Settings that all cases of an evaluation share. */
export interface CaseSettings {
  readonly folder: SkillFolder;
  readonly timeoutSeconds: number;
  readonly maxTurns: number;
  /** Whether the engine is a custom one, which receives `maxTurns`. Other engines have no limit of model turns. */
  readonly hasCustomEngine: boolean;
  readonly expectations: Expectations;
  readonly collect: readonly string[];
  readonly judges: JudgeDefaults;
  readonly mcp: McpServersByName;
  /** Whether the evaluation file names a model for simulated users. */
  readonly hasSimulatedUser: boolean;
}

/** Reads a case file. Problems are recorded with the path of the file. */
export async function readCase(field: Field, settings: CaseSettings): Promise<EvalCase | undefined> {
  const path = await readSkillPath(field, settings.folder, "file");
  const name = readScalar(field) ?? "";
  if (path === undefined) return undefined;
  const problems: string[] = [];
  const one = await parseCaseFile(path, { ...settings, problems });
  field.problems.push(...problems.map((problem) => `${name}: ${problem}`));
  return one;
}

async function parseCaseFile(
  path: string,
  { problems, ...settings }: CaseSettings & { readonly problems: string[] },
): Promise<EvalCase | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    problems.push(`the file cannot be read: ${messageOf(error)}`);
    return undefined;
  }
  const document = await parseDocument(text);
  if ("problems" in document) {
    problems.push(...document.problems);
    return undefined;
  }
  const top: Field = { path: "", value: document.value, problems };
  const fields = isAbsent(top) ? fail(top, "is empty") : readMap(top, KNOWN);
  if (fields === undefined) return undefined;
  const one = await toCase(fields, { ...settings, stem: basename(path).replace(/\.[^.]*$/u, "") });
  return { ...one, source: text };
}

async function toCase(fields: FieldsByName, settings: CaseSettings & { readonly stem: string }): Promise<EvalCase> {
  const { folder } = settings;
  const given = fields("id");
  const id =
    given.value === ""
      ? undefined
      : readName(typeof given.value === "number" ? { ...given, value: String(given.value) } : given);
  const limits = readMap(fields("constraints"), ["timeout_seconds", "max_turns"]);
  const timeout = limits === undefined ? undefined : readInteger(limits("timeout_seconds"));
  const context = await readContext(fields("context"), folder);
  const expectations = mergeExpectations(settings.expectations, await readExpectations(fields("expect"), folder));
  const { assertions, areIndependent } = await readJudges(fields, settings.judges);
  const own = await readMcp(fields("mcp"), { folder, isCase: true });
  const mcpServers = { ...settings.mcp, ...own };
  readScalar(fields("description"));
  const input = await readInput(fields, settings);
  checkTurnNumbers(isAbsent(fields("judges")) ? fields("judge") : fields("judges"), { ...input, assertions });
  return {
    id: id ?? settings.stem,
    title: readScalar(fields("title")),
    tags: readTags(fields("tag")),
    ...input,
    ...context,
    kwargs: {},
    timeoutSeconds: Math.max(0, timeout === undefined || timeout === 0 ? settings.timeoutSeconds : timeout),
    maxTurns: (limits === undefined ? undefined : readInteger(limits("max_turns"))) || settings.maxTurns,
    ...(settings.hasCustomEngine ? {} : { limitsUserTurnsOnly: true }),
    assertFiles: [],
    gates: toGates(expectations),
    assertions,
    hasIndependentJudges: areIndependent,
    collect: [...new Set([...settings.collect, ...(await readGlobs(fields("collect_artifacts")))])],
    ...(Object.keys(mcpServers).length === 0 ? {} : { mcpServers }),
  };
}

async function readInput(fields: FieldsByName, { hasSimulatedUser }: CaseSettings): Promise<CaseInput> {
  const input = readMap(fields("input"), ["prompt", "turns"]) ?? fields;
  const prompt = readScalar(input("prompt"));
  const turns = await readTurns(input("turns"), { isRoleOptional: false });
  if (prompt === undefined && isAbsent(input("turns"))) fail(fields("input"), "needs prompt or turns");
  const user = readMap(fields("user_simulator"), ["scenario"]);
  const isSimulated = !isAbsent(fields("user_simulator")) && user !== undefined;
  const scenario = isSimulated ? required(user("scenario"), readScalar) : undefined;
  if (isSimulated && !hasSimulatedUser)
    fail(fields("user_simulator"), "needs user_simulator with provider, protocol and model in the evaluation file");
  const responds = turns.findIndex(({ respond }) => respond !== undefined);
  if (responds >= 0 && !isSimulated)
    fail(input("turns"), `has a turn with respond (${responds}), which requires user_simulator.scenario`);
  return toInput(prompt, turns, scenario);
}

async function readContext(field: Field, folder: SkillFolder): Promise<Pick<EvalCase, "workspace" | "files" | "git">> {
  const fields = readMap(field, ["repo_fixture", "git", "files"]);
  if (fields === undefined) return { files: [] };
  const files: EvalFile[] = readEntries(fields("files")).flatMap(({ name, field: entry }) => {
    const path = readWorkspacePath({ ...entry, value: name });
    const content = readAnyText(entry);
    return path === undefined || content === undefined ? [] : [{ path, source: { content } }];
  });
  return {
    workspace: await readSkillPath(fields("repo_fixture"), folder, "folder"),
    files,
    git: await readGit(fields("git"), folder),
  };
}

async function readGit(field: Field, folder: SkillFolder): Promise<GitSetup | undefined> {
  if (isAbsent(field)) return undefined;
  const fields = readMap(field, ["init", "checkout", "apply_diff", "remotes"]);
  if (fields === undefined) return undefined;
  const remotes = readList(fields("remotes")).flatMap((entry) => {
    const own = readMap(entry, ["name", "url"]);
    if (own === undefined) return [];
    const [name, url] = [required(own("name"), readScalar), required(own("url"), readScalar)];
    return name === undefined || url === undefined ? [] : [[name, url] as const];
  });
  return {
    init: readFlag(fields("init")) ?? false,
    checkout: readScalar(fields("checkout")),
    patch: await readSkillPath(fields("apply_diff"), folder, "file"),
    remotes: Object.fromEntries(remotes),
  };
}
