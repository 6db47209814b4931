import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DEPENDENCY,
  type Engine,
  EngineError,
  type ExecutionEnvironment,
  isExecutionEnvironment,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { afterEach, expect, test } from "vitest";
import type { EvalProgress } from "./eval-progress.ts";
import { parseEvalSuite, type RunEvalOptions, runEval, selectSuite } from "./index.ts";

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "eval-"));
  folders.push(folder);
  return folder;
}

/** What a fake engine sees of its session. */
interface Work {
  input: SessionInput;
  runId: string;
  attributes: Readonly<Record<string, string>>;
  environment: ExecutionEnvironment;
  signal: AbortSignal;
  interrupted: Promise<unknown>;
}

function engineOf(work: (work: Work) => Promise<Partial<SessionResult> | string>): Engine {
  return defineEngine(async (run, host, board) => {
    const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
    const input = board.get(SESSION_INPUT) ?? { messages: [] };
    const interrupted = host.interrupts()?.receive(run.signal) ?? new Promise(() => undefined);
    const { id: runId, attributes, signal } = run;
    const said = await work({ input, runId, attributes, environment, signal, interrupted });
    const result = typeof said === "string" ? { final_message: said } : said;
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "", ...result });
  });
}

const ENV = { PATH: process.env["PATH"] };

async function evaluate(
  yaml: string,
  engines: Readonly<Record<string, Engine>>,
  options: Partial<RunEvalOptions> & { beside?: string; selection?: Parameters<typeof selectSuite>[1] } = {},
) {
  const { beside = await makeFolder(), selection = {}, ...more } = options;
  const output = more.output ?? (await makeFolder());
  const parsed = await parseEvalSuite(yaml, join(beside, "eval.yaml"));
  const suite = await selectSuite(parsed, selection);
  const progress: EvalProgress[] = [];
  const results = await runEval(suite, {
    openEngine: async (spec) => {
      const engine = engines[String(spec)];
      if (engine === undefined)
        throw new EngineError("engine.not_found", { engine: spec, known: Object.keys(engines) });
      return { name: String(spec), engine };
    },
    environment: (root) => ({ type: "local", root, env: ENV }),
    onProgress: (event) => progress.push(event),
    ...more,
    output,
  });
  const outcomes = results.trials.map(({ outcome }) => outcome);
  return { results, outcomes, output, progress };
}

const read = (...path: string[]): Promise<string> => readFile(join(...path), "utf8");

test("every case runs under every variant with every engine as often as it says, each in a copy of its own", async () => {
  const beside = await makeFolder();
  await writeFile(join(beside, "base.txt"), "base");
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
  const { results, output, progress } = await evaluate(yaml, { one: echo, two: echo }, { beside });
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
  expect(progress[0]).toEqual({ type: "eval_started", total: 16, kept: 0 });
  // What passed leaves its run folder, not its workspace; the template is as it was.
  expect(await readdir(join(output, "workspaces"))).toEqual([]);
  expect(await readdir(join(output, "runs"))).toHaveLength(16);
  expect(await readdir(beside)).toEqual(["base.txt"]);
  expect(JSON.parse(await read(output, "results.json"))).toEqual(results);
  expect((await read(output, "results.jsonl")).trim().split("\n")).toHaveLength(17);
});

test("assertions decide between PASS and FAIL, and all of them are told", async () => {
  const writer = engineOf(async ({ environment }) => {
    await environment.writeFile("report.md", "fine");
    await environment.makeDirectory("folder");
    return '```json\n{"ok": true}\n```';
  });
  const yaml = `
engines: [writer]
cases:
  - id: good
    prompt: x
    assert:
      - contains: '"ok"'
      - not_contains: sorry
      - matches: '(?m)^\\{'
      - file_exists: report.md
      - command: [test, -s, report.md]
      - command: "grep -q fine report.md && echo found it"
      - json_schema: { type: object, required: [ok] }
  - id: bad
    prompt: x
    assert:
      - contains: nothing like it
      - not_contains: ok
      - matches: "^ok"
      - file_exists: other.md
      - file_exists: folder
      - command: "echo out; echo err >&2; exit 3"
      - command: [does-not-exist-at-all]
      - json_schema: { type: array }
      - { command: "while :; do read -t 1 <> <(:); done", timeout_seconds: 1 }
`;
  const { results, output, outcomes } = await evaluate(yaml, { writer });
  expect(outcomes).toEqual(["PASS", "FAIL"]);
  expect(results.outcome).toBe("failed");
  const [good, bad] = results.trials;
  expect(good?.assertions.map(({ outcome }) => outcome)).toEqual(Array(7).fill("PASS"));
  expect(good?.assertions[5]).toMatchObject({ kind: "command", output: "found it\n" });
  expect(bad?.assertions.map(({ outcome }) => outcome)).toEqual(Array(9).fill("FAIL"));
  expect(bad?.assertions[5]).toMatchObject({ reason: "It ended with exit code 3.", output: "out\n\nerr\n" });
  expect(bad?.assertions[8]).toMatchObject({ reason: "It did not end within 1 s." });
  expect(bad?.reason).toBe("contains nothing like it: The final message does not contain it. (and 8 more)");
  // What did not pass can be looked at.
  expect(await read(output, bad?.workspace ?? "", "report.md")).toBe("fine");
  expect(good?.workspace).toBeUndefined();
});

test("no valid result, a failure that the engine tells and a crash are errors; a result is kept [custom-errors-3] [custom-errors-4]", async () => {
  const engines = {
    crash: engineOf(() => Promise.reject(new Error("boom"))),
    fails: engineOf(async () => ({ exit_code: 3, final_message: "No luck.", stderr: "because" })),
    slow: engineOf(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ),
    silent: defineEngine(),
  };
  const yaml = `
engines: [crash, fails, slow, silent]
timeout_seconds: 1
concurrency: 4
cases: [{ id: a, prompt: x, assert: [{ contains: luck }] }]
`;
  const { results, outcomes, output } = await evaluate(yaml, engines);
  expect(outcomes).toEqual(["ERROR", "ERROR", "ERROR", "ERROR"]);
  expect(results.outcome).toBe("error");
  const [crash, fails, slow, silent] = results.trials;
  expect(crash).toMatchObject({ error: { code: "engine.failed" }, reason: "The engine failed: boom" });
  expect(fails).toMatchObject({
    ...{ exit_code: 3, final_message: "No luck.", stderr: "because", reason: "The engine ended with exit code 3." },
    assertions: [],
  });
  expect(slow).toMatchObject({ status: "timed_out", error: { code: "run.timed_out" } });
  expect(silent).toMatchObject({ error: { code: "run.no_result" } });
  const junit = await read(output, "junit.xml");
  expect(junit).toContain('<testsuites name="eval" tests="4" failures="0" errors="4" skipped="0"');
  expect(junit).toContain("<system-err>because</system-err>");
});

test("an error is tried again, a failure never", async () => {
  const calls = { flaky: 0, wrong: 0, broken: 0 };
  const engines = {
    flaky: engineOf(async () => {
      calls.flaky += 1;
      if (calls.flaky === 1) throw new Error("not yet");
      return { final_message: "done", input_tokens: 10, output_tokens: 5 };
    }),
    wrong: engineOf(async () => {
      calls.wrong += 1;
      return "sorry";
    }),
    broken: engineOf(async () => {
      calls.broken += 1;
      throw new Error("never");
    }),
  };
  const yaml =
    "engines: [flaky, wrong, broken]\nretries: 2\ncases: [{ id: a, prompt: x, assert: [{ contains: done }] }]";
  const { results, outcomes, progress } = await evaluate(yaml, engines);
  expect(outcomes).toEqual(["PASS", "FAIL", "ERROR"]);
  expect(calls).toEqual({ flaky: 2, wrong: 1, broken: 3 });
  expect(results.trials[0]?.earlier_attempts).toMatchObject([{ reason: "The engine failed: not yet" }]);
  expect(results.trials[0]?.usage).toEqual({ input_tokens: 10, output_tokens: 5 });
  expect(results.trials[2]?.earlier_attempts).toHaveLength(2);
  expect(progress.filter(({ type }) => type === "trial_retried")).toHaveLength(3);
});

test("what the budget leaves no room for is skipped and said so, and all engines were asked as much as the others", async () => {
  const spender = engineOf(async () => ({ final_message: "ok", input_tokens: 60, output_tokens: 0 }));
  const yaml = "engines: [a, b]\niterations: 3\nbudget: { total_tokens: 200 }\ncases: [{ id: c, prompt: x }]";
  const { results, outcomes } = await evaluate(yaml, { a: spender, b: spender });
  expect(outcomes).toEqual(["PASS", "PASS", "PASS", "PASS", "SKIPPED", "SKIPPED"]);
  expect(results.outcome).toBe("incomplete");
  expect(results.trials[4]).toMatchObject({ reason: "The budget is used up: 240 of 200 tokens.", usage: {} });
  expect(results.groups.map(({ counts }) => counts.passed)).toEqual([2, 2]);
  expect(results.usage).toEqual({ input_tokens: 240, output_tokens: 0 });
});

test("a session cannot use more than what is left of the budget", async () => {
  const greedy = defineEngine(async (_run, host) => {
    for (;;) await host.reportUsage({ inputTokens: 50, outputTokens: 0, totalTokens: 50, costMicros: 100_000 });
  });
  const yaml = "engines: [greedy]\nbudget: { cost_usd: 0.35 }\ncases: [{ id: c, prompt: x }, { id: d, prompt: x }]";
  const { results, outcomes } = await evaluate(yaml, { greedy });
  expect(outcomes).toEqual(["SKIPPED", "SKIPPED"]);
  expect(results.trials[0]?.reason).toBe("The budget is used up: $0.4000 of $0.35. It was cut off.");
  expect(results.usage).toMatchObject({ cost_usd: 0.4 });
});

test("a cost that nobody knows is unknown, and a budget for it says that it cannot be kept", async () => {
  const quiet = engineOf(async () => "ok");
  const yaml = "engines: [quiet]\nbudget: { cost_usd: 1 }\ncases: [{ id: c, prompt: x }]";
  const { results, output } = await evaluate(yaml, { quiet });
  expect(results.groups[0]?.usage).toEqual({});
  expect(results.warnings).toEqual(["The budget could not be kept: of some runs it is not known what they used."]);
  expect(await read(output, "report.html")).toContain(
    '<td class="number">unknown</td><td class="number">unknown</td></tr>',
  );
});

test("never more sessions than the limit run at the same time, and none waits for another one's end", async () => {
  let [running, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const engine = engineOf(async () => {
    running += 1;
    most = Math.max(most, running);
    // All three of the first round meet here before anyone goes on.
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length % 3 === 0) for (const go of waiting.splice(0)) go();
    });
    running -= 1;
    return "ok";
  });
  const yaml = "engines: [e]\niterations: 6\nconcurrency: 3\ncases: [{ id: c, prompt: x }]";
  const { outcomes } = await evaluate(yaml, { e: engine });
  expect(outcomes).toEqual(Array(6).fill("PASS"));
  expect(most).toBe(3);
});

test("whoever stops it gets the results so far, and goes on later with what is missing", async () => {
  const stop = new AbortController();
  let calls = 0;
  const engine = engineOf(async ({ interrupted }) => {
    calls += 1;
    if (calls === 2) {
      stop.abort();
      await interrupted;
      throw new EngineError("run.interrupted", { cause: "user_cancel" });
    }
    return "ok";
  });
  const yaml = "name: n\nengines: [e]\niterations: 3\ncases: [{ id: c, prompt: x }]";
  const first = await evaluate(yaml, { e: engine }, { interrupt: stop.signal, fingerprint: "1" });
  expect(first.outcomes).toEqual(["PASS", "SKIPPED", "SKIPPED"]);
  expect(first.results.outcome).toBe("interrupted");
  expect(first.results.trials[2]?.reason).toBe("The evaluation was stopped.");
  expect(await read(first.output, "report.html")).toContain("It was stopped before it was over.");

  // A process that died in the middle of a line.
  await writeFile(join(first.output, "results.jsonl"), '{"case_id":"c","engi', { flag: "a" });
  const { output } = first;
  const again = await evaluate(yaml, { e: engine }, { output, resume: true, fingerprint: "1" });
  expect(again.outcomes).toEqual(["PASS", "PASS", "PASS"]);
  expect(again.progress[0]).toEqual({ type: "eval_started", total: 3, kept: 1 });
  expect(calls).toBe(4);
  const whole = await evaluate(yaml, { e: engine }, { output, resume: true, fingerprint: "1" });
  expect(whole.outcomes).toEqual(["PASS", "PASS", "PASS"]);
  expect(calls).toBe(4);
  await expect(evaluate(yaml, { e: engine }, { output, resume: true, fingerprint: "2" })).rejects.toMatchObject({
    code: "config.invalid",
  });
});

test("with fail-fast nothing is begun behind the first run that does not pass", async () => {
  const yaml =
    "engines: [e]\niterations: 2\ncases: [{ id: c, prompt: x }, { id: d, prompt: x, assert: [{ contains: no }] }]";
  const { outcomes, results } = await evaluate(yaml, { e: engineOf(async () => "ok") }, { failFast: true });
  expect(outcomes).toEqual(["PASS", "FAIL", "SKIPPED", "SKIPPED"]);
  expect(results.outcome).toBe("failed");
});

test("cases, engines and numbers can be chosen in place of those of the file", async () => {
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

test("engines that cannot be used are told before anything runs", async () => {
  const engine = engineOf(() => Promise.reject(new Error("it ran")));
  const yaml = (engines: string): string => `engines: [${engines}]\ncases: [{ id: c, prompt: x }]`;
  await expect(evaluate(yaml("nobody"), {})).rejects.toMatchObject({ code: "engine.not_found" });
  await expect(evaluate(yaml("nobody, neither"), {})).rejects.toMatchObject({ code: "config.invalid_eval" });
  await expect(evaluate(yaml("a, a"), { a: engine })).rejects.toThrow("its name a is taken; set its id.");
  await expect(evaluate("cases: [{ id: c, prompt: x }]", {})).rejects.toThrow("no engine is named");
});

test("secrets are in nothing that is written, commands of assertions included", async () => {
  const leak = "sk-live-this-must-never-be-seen-0123456789";
  const engine = engineOf(async ({ environment }) => {
    await environment.writeFile("leak.txt", leak);
    return `the key is ${leak}`;
  });
  const yaml = `engines: [e]\ncases: [{ id: c, prompt: x, assert: [{ command: "cat leak.txt; exit 1" }, { contains: zzz }] }]`;
  const { output } = await evaluate(yaml, { e: engine }, { secrets: [leak], keepWorkspaces: "none" });
  for (const file of await readdir(output, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(await read(file.parentPath, file.name), file.name).not.toContain(leak);
  }
  expect(await read(output, "results.json")).toContain("the key is ***REDACTED***");
  expect(await read(output, "report.html")).toContain("***REDACTED***");
});

test("a judge decides, and one that cannot makes an error of it", async () => {
  const yaml =
    "engines: [e]\njudge: { model: m/m }\ncases: [{ id: yes, prompt: ask, assert: [{ judge: good }] }, { id: no, prompt: x, assert: [{ judge: bad }] }, { id: gone, prompt: x, assert: [{ judge: lost }] }]";
  const asked: unknown[] = [];
  const { results, outcomes } = await evaluate(
    yaml,
    { e: engineOf(async () => "said") },
    {
      judge: async (question) => {
        asked.push(question);
        if (question.criterion === "lost") throw new Error("no line");
        return { holds: question.criterion === "good", reason: "I say so.", usage: { input_tokens: 3, cost_usd: 0.5 } };
      },
    },
  );
  expect(outcomes).toEqual(["PASS", "FAIL", "ERROR"]);
  expect(asked[0]).toMatchObject({ criterion: "good", task: "ask", finalMessage: "said" });
  expect(results.trials[0]).toMatchObject({
    judge_usage: { input_tokens: 3, cost_usd: 0.5 },
    assertions: [{ reason: "I say so." }],
  });
  expect(results.trials[1]?.reason).toBe("judge bad: I say so.");
  expect(results.trials[2]?.reason).toBe("judge lost: It could not be decided: no line");
  expect(results.usage).toEqual({
    ...{ input_tokens: 6, are_tokens_partial: true, cost_usd: 1, is_cost_partial: true },
  });
  await expect(evaluate(yaml, { e: engineOf(async () => "") })).rejects.toMatchObject({ code: "config.invalid" });
});

test("a template keeps its links, a worktree's pointer stays behind, and nothing is written through a link", async () => {
  const [beside, outside] = [await makeFolder(), await makeFolder()];
  await symlink(outside, join(beside, "out"));
  await writeFile(join(beside, ".git"), "gitdir: /somewhere/else");
  await writeFile(join(beside, "base.txt"), "base");
  await symlink("base.txt", join(beside, "link.txt"));
  const engine = engineOf(async ({ environment }) =>
    (await environment.listDirectory(".")).map(({ name, kind }) => `${name}:${kind}`).join(" "),
  );
  const yaml = (path: string): string =>
    `engines: [e]\nworkspace: .\ncases: [{ id: c, prompt: x, files: { ${path}: text } }]`;
  const fine = await evaluate(yaml("link.txt"), { e: engine }, { beside });
  expect(fine.results.trials[0]?.final_message).toBe("base.txt:file link.txt:file out:symlink");
  expect(await read(beside, "base.txt")).toBe("base");
  const refused = await evaluate(yaml("out/x.txt"), { e: engine }, { beside });
  expect(refused.results.trials[0]).toMatchObject({ outcome: "ERROR" });
  expect(refused.results.trials[0]?.reason).toContain("would be written outside of the workspace");
  expect(await readdir(outside)).toEqual([]);
});
