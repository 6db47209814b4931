import { statSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { sandboxReadiness } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import type { selectSuite } from "../src/index.ts";
import { engineOf, evaluate, makeFolder, read } from "./evaluate.ts";

test("every case runs with every variant and engine, with the given iterations, in separate copies", async () => {
  const suiteFolder = await makeFolder();
  await writeFile(join(suiteFolder, "base.txt"), "base");
  const seen: string[] = [];
  const echo = engineOf(async ({ input, environment, attributes }) => {
    const entries = await environment.listDirectory(".");
    const names = entries.map(({ name }) => name).filter((name) => name !== "mark.txt");
    expect(entries.map(({ name }) => name)).not.toContain("mark.txt");
    await environment.writeFile("mark.txt", "x");
    seen.push(`${input.case_id} ${input.variant} ${JSON.stringify(input.kwargs)} ${names.join(",")}`);
    expect(input).toMatchObject({ max_turns: 7, timeout_seconds: 60 });
    expect(attributes).toMatchObject({ case_id: input.case_id, "eval.name": "s", variant: input.variant });
    const notes = await environment.readFile("notes.txt").catch(() => "none");
    return `${notes} ${input.messages.at(-1)?.content}`;
  });
  const yaml = `
name: s
workspace: .
engines: [one, two]
variants: { v1: { files: { SKILL.md: skill, notes.txt: over }, kwargs: { p: variant } }, v2: {} }
iterations: 2
concurrency: 4
max_turns: 7
timeout_seconds: 60
cases:
  - { id: a, prompt: ask a, files: { notes.txt: own }, kwargs: { p: case, q: q } }
  - { id: b, prompt: ask b }
`;
  const { results, output, progress } = await evaluate(yaml, { one: echo, two: echo }, { suiteFolder });
  expect(results.counts).toEqual({ total: 16, passed: 16, failed: 0, errors: 0, skipped: 0 });
  expect(results.outcome).toBe("passed");
  expect(seen.sort()).toEqual([
    ...Array<string>(4).fill('a v1 {"p":"variant","q":"q"} SKILL.md,base.txt,notes.txt'),
    ...Array<string>(4).fill('a v2 {"p":"case","q":"q"} base.txt,notes.txt'),
    ...Array<string>(4).fill('b v1 {"p":"variant"} SKILL.md,base.txt,notes.txt'),
    ...Array<string>(4).fill("b v2 undefined base.txt"),
  ]);
  expect(
    results.trials.slice(0, 4).map((trial) => [trial.case_id, trial.variant, trial.engine, trial.iteration]),
  ).toEqual([
    ["a", "v1", "one", 1],
    ["a", "v1", "two", 1],
    ["a", "v2", "one", 1],
    ["a", "v2", "two", 1],
  ]);
  expect(results.trials[0]).toMatchObject({ final_message: "over ask a", exit_code: 0, status: "completed" });
  expect(new Set(results.trials.map(({ run_id }) => run_id)).size).toBe(16);
  expect(results.groups.map(({ engine, variant, pass_rate }) => [engine, variant, pass_rate])).toEqual([
    ["one", "v1", 1],
    ["two", "v1", 1],
    ["one", "v2", 1],
    ["two", "v2", 1],
  ]);
  expect(progress.map(({ type }) => type).filter((type) => type === "trial_finished")).toHaveLength(16);
  expect(progress[0]).toEqual({ type: "eval_started", total: 16, reused: 0 });
  // The workspaces of passed trials are deleted, their run folders remain, and the template is unchanged.
  expect(await readdir(join(output, "workspaces"))).toEqual([]);
  expect(await readdir(join(output, "runs"))).toHaveLength(16);
  expect(await readdir(suiteFolder)).toEqual(["base.txt"]);
  expect(JSON.parse(await read(output, "results.json"))).toEqual(results);
  expect((await read(output, "results.jsonl")).trim().split("\n")).toHaveLength(17);
});

test("options can override the file's cases, engines and numbers", async () => {
  const engine = engineOf(async () => "ok");
  const yaml =
    "engines: [a]\ncases: [{ id: fix-bug, prompt: x }, { id: fix-typo, prompt: x }, { id: write/doc, prompt: x }]";
  const chosen = async (selection: Parameters<typeof selectSuite>[1]) => {
    const { results } = await evaluate(yaml, { a: engine, b: engine }, { selection });
    return results.trials.map((trial) => `${trial.case_id} ${trial.engine} ${trial.iteration}`);
  };
  expect(await chosen({ cases: ["fix-*"], furtherEngines: ["b"] })).toEqual([
    ...["fix-bug a 1", "fix-bug b 1", "fix-typo a 1", "fix-typo b 1"],
  ]);
  expect(await chosen({ cases: ["typo", "*doc"], engines: ["b"], iterations: 2 })).toEqual([
    ...["fix-typo b 1", "write/doc b 1", "fix-typo b 2", "write/doc b 2"],
  ]);
  await expect(chosen({ cases: ["nothing"] })).rejects.toThrow(
    "no case matches it; there are fix-bug, fix-typo, write/doc.",
  );
});

test("unusable engines are reported before any trial starts", async () => {
  const engine = engineOf(() => Promise.reject(new Error("it ran")));
  const yaml = (engines: string): string => `engines: [${engines}]\ncases: [{ id: c, prompt: x }]`;
  await expect(evaluate(yaml("nobody"), {})).rejects.toMatchObject({ code: "engine.not_found" });
  await expect(evaluate(yaml("nobody, neither"), {})).rejects.toMatchObject({ code: "config.invalid_eval" });
  await expect(evaluate(yaml("a, a"), { a: engine })).rejects.toThrow("its name a is taken; set its id.");
  await expect(evaluate("cases: [{ id: c, prompt: x }]", {})).rejects.toThrow("no engine is named");
  const openEngine = async (): Promise<never> => {
    throw new EngineError("config.invalid_engine", { problems: "engine.name is required\nengine.custom is odd" });
  };
  await expect(evaluate(yaml("{ nme: x }"), {}, { openEngine })).rejects.toThrow(
    "engines[0]: engine.name is required\nengines[0]: engine.custom is odd",
  );
});

test("a template's links are copied, a worktree's pointer is not, and nothing is written through a link", async () => {
  const [suiteFolder, outside] = [await makeFolder(), await makeFolder()];
  await symlink(outside, join(suiteFolder, "out"));
  await writeFile(join(suiteFolder, ".git"), "gitdir: /somewhere/else");
  await writeFile(join(suiteFolder, "base.txt"), "base");
  await symlink("base.txt", join(suiteFolder, "link.txt"));
  const engine = engineOf(async ({ environment }) =>
    (await environment.listDirectory(".")).map(({ name, kind }) => `${name}:${kind}`).join(" "),
  );
  const yaml = (path: string): string =>
    `engines: [e]\nworkspace: .\ncases: [{ id: c, prompt: x, files: { ${path}: text } }]`;
  const fine = await evaluate(yaml("link.txt"), { e: engine }, { suiteFolder });
  expect(fine.results.trials[0]?.final_message).toBe("base.txt:file link.txt:file out:symlink");
  expect(await read(suiteFolder, "base.txt")).toBe("base");
  const refused = await evaluate(yaml("out/x.txt"), { e: engine }, { suiteFolder });
  expect(refused.results.trials[0]).toMatchObject({ outcome: "ERROR" });
  expect(refused.results.trials[0]?.reason).toContain("would be written outside of the workspace");
  expect(await readdir(outside)).toEqual([]);
});

// `/dev/shm` is a separate file system on Linux, so a workspace there cannot be renamed into the output folder.
const memory = statSync("/dev/shm", { throwIfNoEntry: false });
test("a retained workspace on another file system is moved to the output folder", async ({ skip }) => {
  skip(memory === undefined || memory.dev === statSync(tmpdir()).dev, "needs a second file system at /dev/shm");
  const workspaces = await mkdtemp("/dev/shm/eval-");
  onTestFinished(() => rm(workspaces, { recursive: true, force: true }));
  const engine = engineOf(async ({ environment }) => {
    await environment.writeFile("deep/made.txt", "made");
    return "done";
  });
  const yaml = "engines: [e]\ncases: [{ id: c, prompt: x, files: { given.txt: given } }]";
  const { results, output } = await evaluate(yaml, { e: engine }, { workspaces, keepWorkspaces: "all" });
  const [trial] = results.trials;
  expect(trial).toMatchObject({ outcome: "PASS", warnings: [] });
  const workspacePath = join(output, trial?.workspace ?? "");
  expect(await read(workspacePath, "given.txt")).toBe("given");
  expect(await read(workspacePath, "deep/made.txt")).toBe("made");
  expect(await readdir(workspaces)).toEqual([]);
});

test("the network requests of a case are events of its run, and refusals are warnings of the case", async ({
  skip,
}) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const engine = engineOf(async ({ environment }) => {
    const { stderr } = await environment.shell("curl -s https://other.example/");
    return stderr.trim();
  });
  const env = { PATH: process.env["PATH"] };
  const { results, output } = await evaluate(
    "cases: [{ id: a, prompt: Fetch it., assert: [{ contains: list:other.example }] }]\nengines: [e]\n",
    { e: engine },
    { environment: (root) => ({ type: "sandbox", root, env, network: "list:registries" }) },
  );
  const [trial] = results.trials;
  expect(trial?.outcome).toBe("PASS");
  expect(trial?.warnings).toEqual([trial?.final_message]);
  const events = await read(output, "runs", trial?.run_id ?? "", "events.jsonl");
  const decided = events.split("\n").filter((line) => line.includes('"network_request_decided"'));
  expect(decided.map((line) => JSON.parse(line).payload)).toMatchObject([
    { kind: "tunnel", host: "other.example", port: 443, verdict: "refused", message: trial?.final_message },
  ]);
});
