import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseEvalSuite, readHarborSuite } from "../src/index.ts";
import { makeFolder } from "./evaluate.ts";
import { makeTasks } from "./harbor/task-folder.ts";

const PAGE = await readFile(join(import.meta.dirname, "../../../docs/reference/eval-files.md"), "utf8");

/** Name of a field that no format has. */
const UNKNOWN = "unknown_field";

/** Settings that make a map accepted at its place, so that only the unknown field is reported. */
const EVAL = {
  "": {},
  environment: {},
  "environment.setup_steps.0": { run: "true" },
  mcp: {},
  "mcp.servers.0": { name: "files", mode: "real", command: "node" },
  "skills.0": { source: "local_path", path: "." },
  engine: {},
  "engine.model": {},
  user_simulator: { provider: "a", protocol: "openai", model: "m" },
  cases: {},
  "cases.defaults": {},
  "cases.retry_policy": {},
  judge: { type: "rule_based" },
  benchmark: {},
  report: {},
};
const CASE = {
  "": {},
  input: { prompt: "Go" },
  "input.turns.0": { role: "user", content: "Go" },
  "input.turns.0.post_condition": { must_contain_all: ["a"] },
  "input.turns.0.capture.0": { variable: "a", pattern: "(a)" },
  user_simulator: { scenario: "s" },
  context: {},
  "context.git": {},
  "context.git.remotes.0": { name: "a", url: "b" },
  constraints: {},
  expect: {},
  "expect.file_contains.0": { path: "a", content: "b" },
  "judge.context": {},
  "judge.context.limits": {},
  "judge.context.attachments.0": { path: "SKILL.md" },
  mcp: {},
  "mcp.servers.0": { name: "files", mode: "mocked" },
};
const TASK = ["", "task", "agent", "verifier", "solution", "environment"];

/** Returns a document that has a map at a path, whose parents are maps or lists. */
function documentWith(path: string, map: Readonly<Record<string, unknown>>): unknown {
  const names = path === "" ? [] : path.split(".");
  return names.reduceRight<unknown>((value, name) => (name === "0" ? [value] : { [name]: value }), map);
}

/** Returns the names of the known fields that the problem of an unknown field lists. */
async function knownFields(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.catch((thrown: unknown) => thrown);
  const problems = String(Reflect.get(Object(error), "details")?.problems);
  const [, names = ""] = new RegExp(`${UNKNOWN} is not a known setting; known are (.*)`, "u").exec(problems) ?? [];
  expect(names, problems).not.toBe("");
  return names.split(", ");
}

async function inSkill(evaluation: unknown, one: unknown): Promise<unknown> {
  const folder = await makeFolder();
  await mkdir(join(folder, "evals"));
  await writeFile(join(folder, "SKILL.md"), "---\nname: a\n---\n");
  await writeFile(join(folder, "evals/a.yaml"), JSON.stringify(one));
  return parseEvalSuite(JSON.stringify(evaluation), join(folder, "evals/eval.yaml"));
}

const BASE = { schema_version: "v1alpha1", cases: { files: ["evals/a.yaml"] } };

/** Reads an evaluation with an unknown field in one of its maps. */
function evaluationWith(path: string, map: Readonly<Record<string, unknown>>): Promise<unknown> {
  const added = Object(documentWith(path, { ...map, [UNKNOWN]: 1 }));
  return inSkill({ ...BASE, ...added }, { input: { prompt: "Go" } });
}

function caseWith(path: string, map: Readonly<Record<string, unknown>>): Promise<unknown> {
  const judge = { type: "agent_judge", model: "a/m", criteria: ["c"] };
  const added = Object(documentWith(path, { ...map, [UNKNOWN]: 1 }));
  const own = added.judge === undefined ? {} : { judge: { ...judge, ...added.judge } };
  return inSkill(BASE, { input: { prompt: "Go" }, ...added, ...own });
}

async function taskWith(path: string): Promise<unknown> {
  const table = path === "" ? `${UNKNOWN} = 1` : `[${path}]\n${UNKNOWN} = 1`;
  return readHarborSuite(await makeTasks({ one: { "task.toml": table } }));
}

/** Returns the text of the page's sections about a format. */
function sectionsAbout(format: "skill-up" | "harbor"): string {
  const start = PAGE.indexOf("\n## Fields of Harbor's task.toml");
  expect(start).toBeGreaterThan(0);
  return format === "skill-up" ? PAGE.slice(0, start) : PAGE.slice(start);
}

function isNamed(text: string, name: string): boolean {
  return new RegExp(`[\`.{, ]${name}[\`.:}]`, "u").test(text);
}

/** Returns the names in the first column of the table below a heading, such as `environment.type`. */
function firstColumn(heading: string): string[] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.match(/^\| `.*?`[^|]*\|/gmu) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) => name));
}

describe("the reference of evaluation files names", () => {
  test.each(Object.entries(EVAL))("all fields that eval.yaml accepts in %j", async (path, map) => {
    const known = await knownFields(evaluationWith(path, map));
    expect(known.filter((name) => !isNamed(sectionsAbout("skill-up"), name))).toEqual([]);
  });

  test.each(Object.entries(CASE))("all fields that a case file accepts in %j", async (path, map) => {
    const known = await knownFields(caseWith(path, map));
    expect(known.filter((name) => !isNamed(sectionsAbout("skill-up"), name))).toEqual([]);
  });

  test.each(TASK)("all fields that task.toml accepts in %j", async (path) => {
    const known = await knownFields(taskWith(path));
    expect(known.filter((name) => !isNamed(sectionsAbout("harbor"), name))).toEqual([]);
  });

  test("no field that eval.yaml, a case file or task.toml does not accept", async () => {
    const readers = [
      ["eval.yaml", (path: string) => evaluationWith(path, {})],
      ["Case files", (path: string) => caseWith(path, {})],
      ["Fields of Harbor's task.toml", taskWith],
    ] as const;
    for (const [heading, read] of readers) {
      const known = new Map<string, string[]>();
      const names = firstColumn(heading).filter((name) => !/[/ ]/u.test(name));
      expect(names.length, heading).toBeGreaterThan(10);
      for (const name of names) {
        const [parent = "", field = name] = name.includes(".") ? name.split(/\.(?=[^.]*$)/u) : ["", name];
        if (!known.has(parent)) known.set(parent, await knownFields(read(parent)));
        expect(known.get(parent), `${heading}: ${name}`).toContain(field);
      }
    }
  });
});
