import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EvalFile, JudgeSkill } from "../suite/eval-suite.ts";
import { type Field, fail, readList, readMap, required } from "../suite/field.ts";
import { readWorkspacePath } from "../suite/parse-files.ts";
import { readOneOf, readScalar, readScalars } from "../suite/scalar-fields.ts";
import { listFiles } from "./list-files.ts";
import { readSkillPath, type SkillFolder } from "./skill-folder.ts";

/** Options for `readSkills`. */
export interface ReadSkillsOptions {
  readonly folder: SkillFolder;
  /** Workspace folder in which the engine looks for skills. */
  readonly target: string;
}

/** Reads `skills`: the files that the variant `with_skill` adds to the workspace. */
export async function readSkills(field: Field, { folder, target }: ReadSkillsOptions): Promise<EvalFile[]> {
  const skills = await readJudgeSkills(field, folder);
  return skills.flatMap((skill) => skillFiles(skill, target));
}

/** Returns the files of a skill, with their paths in a workspace. */
export function skillFiles({ name, files, target: own }: JudgeSkill, target: string): EvalFile[] {
  const to = own ?? `${target}/${name}`;
  return files.map(({ path, from }) => ({ path: `${to}/${path}`, source: { from } }));
}

/** Reads a list of skills, such as those of a judge. */
export async function readJudgeSkills(field: Field, folder: SkillFolder): Promise<JudgeSkill[]> {
  const skills: JudgeSkill[] = [];
  for (const entry of readList(field)) {
    const skill = await readSkill(entry, folder);
    if (skill !== undefined) skills.push(skill);
  }
  return skills;
}

async function readSkill(field: Field, folder: SkillFolder): Promise<JudgeSkill | undefined> {
  const fields = readMap(field, ["source", "path", "target", "include", "exclude"]);
  if (fields === undefined) return undefined;
  required(fields("source"), (one) => readOneOf(one, ["local_path"]));
  const root = await required(fields("path"), (one) => readSkillPath(one, folder, "folder"));
  const [include, exclude] = [readScalars(fields("include")), readScalars(fields("exclude"))];
  const given = fields("target");
  const target = given.value === undefined || given.value === "" ? undefined : readWorkspacePath(given);
  if (root === undefined) return undefined;
  const { compileGlob } = await import("@switchyard/environment");
  const compile = (patterns: readonly string[]) => patterns.map((pattern) => compileGlob(pattern));
  const [included, excluded] = [compile(include), compile(exclude)];
  const selected = (await listFiles(root)).filter(
    (path) =>
      !path.startsWith("evals/") &&
      (included.length === 0 || included.some((matches) => matches(path))) &&
      !excluded.some((matches) => matches(path)),
  );
  if (!selected.includes("SKILL.md"))
    return fail(fields("path"), "names a folder whose selected files contain no SKILL.md");
  const files = selected.map((path) => ({ path, from: join(root, path) }));
  return { name: await nameOf(root), source: readScalar(fields("path")) ?? "", files, target };
}

/** Returns the name in the front matter of a skill, or else the name of its folder. */
async function nameOf(root: string): Promise<string> {
  const text = await readFile(join(root, "SKILL.md"), "utf8");
  const front = /^---\r?\n([\s\S]*?)\r?\n---/u.exec(text)?.[1] ?? "";
  const name = /^name:[ \t]*["']?([\w.-]+)["']?[ \t]*$/mu.exec(front)?.[1];
  return name ?? (basename(root).replace(/[^\w.-]+/gu, "-") || "skill");
}
