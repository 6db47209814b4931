import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { engineOf, evaluate, makeFolder, read } from "./evaluate.ts";

test("assertions decide between PASS and FAIL, and all of them are reported", async () => {
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
  // The workspace of a failed trial is retained for inspection.
  expect(await read(output, bad?.workspace ?? "", "report.md")).toBe("fine");
  expect(good?.workspace).toBeUndefined();
});

test("an invalid result, a reported failure and a crash are errors; a result is preserved [custom-errors-3] [custom-errors-4]", async () => {
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
    ...{
      exit_code: 3,
      final_message: "No luck.",
      stderr: "because",
      reason: "The engine ended with exit code 3: because",
    },
    assertions: [],
  });
  expect(slow).toMatchObject({ status: "timed_out", error: { code: "run.timed_out" } });
  expect(silent).toMatchObject({ error: { code: "run.no_result" } });
  const junit = await read(output, "junit.xml");
  expect(junit).toContain('<testsuites name="eval" tests="4" failures="0" errors="4" skipped="0"');
  expect(junit).toContain("<system-err>because</system-err>");
});

test("an error is retried, a failure never", async () => {
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

test("secrets are masked in all written files, commands of assertions included", async () => {
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

const verdictOf = (passed: boolean): string =>
  JSON.stringify({ results: [{ criterion_id: "c1", passed, evidence: "I say so." }] });

test("a judge decides, and a failing judge is an error", async () => {
  const yaml =
    "engines: [e]\njudge: { model: m/m }\ncases: [{ id: yes, prompt: ask, assert: [{ judge: good }] }, { id: no, prompt: x, assert: [{ judge: bad }] }, { id: gone, prompt: x, assert: [{ judge: lost }] }]";
  const received: unknown[] = [];
  const { results, outcomes } = await evaluate(
    yaml,
    { e: engineOf(async () => "said") },
    {
      openModel:
        async () =>
        async ({ instructions, question }) => {
          received.push(JSON.parse(question));
          if (instructions.includes("1. lost")) throw new Error("no line");
          return { text: verdictOf(instructions.includes("1. good")), usage: { input_tokens: 3, cost_usd: 0.5 } };
        },
    },
  );
  expect(outcomes).toEqual(["PASS", "FAIL", "ERROR"]);
  expect(received[0]).toMatchObject({ task: "ask", evidence: [{ title: "final_message", text: "said" }] });
  expect(results.trials[0]).toMatchObject({
    judge_usage: { input_tokens: 3, cost_usd: 0.5 },
    assertions: [{ reason: "I say so." }],
  });
  expect(results.trials[1]?.reason).toBe("judge bad: I say so.");
  expect(results.trials[2]?.reason).toBe("judge lost: It could not be checked: no line");
  expect(results.usage).toEqual({
    ...{ input_tokens: 6, are_tokens_partial: true, cost_usd: 1, is_cost_partial: true },
  });
  await expect(evaluate(yaml, { e: engineOf(async () => "") })).rejects.toMatchObject({ code: "config.invalid" });
});

test("assertion files are copied after the engine has finished, and overwrite its files", async () => {
  const suiteFolder = await makeFolder();
  await mkdir(join(suiteFolder, "hidden/deep"), { recursive: true });
  await writeFile(join(suiteFolder, "hidden/deep/check.sh"), "grep -q right answer.txt");
  const cheat = engineOf(async ({ environment }) => {
    const seen = await environment.exists("check/deep/check.sh");
    await environment.writeFile("check/deep/check.sh", "true");
    await environment.writeFile("note.txt", "mine");
    await environment.writeFile("answer.txt", "wrong");
    return String(seen);
  });
  const yaml = `
engines: [cheat]
cases:
  - id: c
    prompt: x
    assert_files: { check: { from: hidden }, note.txt: theirs }
    assert: [{ contains: "false" }, { command: "grep -q theirs note.txt" }, { command: [sh, check/deep/check.sh] }]
  - { id: blocked, prompt: x, assert_files: { answer.txt/x: y } }
`;
  const { results } = await evaluate(yaml, { cheat }, { suiteFolder });
  const [first, blocked] = results.trials;
  expect(first?.assertions.map(({ outcome }) => outcome)).toEqual(["PASS", "PASS", "FAIL"]);
  expect(blocked).toMatchObject({ outcome: "ERROR", status: "completed" });
  expect(blocked?.reason).toMatch(/^The file answer\.txt\/x of the assertions could not be written: /);
});
