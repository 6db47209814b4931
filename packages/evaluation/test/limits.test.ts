import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { engineOf, evaluate, read } from "./evaluate.ts";

test("trials beyond the budget are skipped with the reason, and all engines get equally many trials", async () => {
  const spender = engineOf(async () => ({ final_message: "ok", input_tokens: 60, output_tokens: 0 }));
  const yaml = "engines: [a, b]\niterations: 3\nbudget: { total_tokens: 200 }\ncases: [{ id: c, prompt: x }]";
  const { results, outcomes } = await evaluate(yaml, { a: spender, b: spender });
  expect(outcomes).toEqual(["PASS", "PASS", "PASS", "PASS", "SKIPPED", "SKIPPED"]);
  expect(results.outcome).toBe("incomplete");
  expect(results.trials[4]).toMatchObject({ reason: "The budget is used up: 240 of 200 tokens.", usage: {} });
  expect(results.groups.map(({ counts }) => counts.passed)).toEqual([2, 2]);
  expect(results.usage).toEqual({ input_tokens: 240, output_tokens: 0 });
});

test("a session cannot use more than the remaining budget", async () => {
  const greedy = defineEngine(async (_run, host) => {
    for (;;) await host.reportUsage({ inputTokens: 50, outputTokens: 0, totalTokens: 50, costMicros: 100_000 });
  });
  const yaml = "engines: [greedy]\nbudget: { cost_usd: 0.35 }\ncases: [{ id: c, prompt: x }, { id: d, prompt: x }]";
  const { results, outcomes } = await evaluate(yaml, { greedy });
  expect(outcomes).toEqual(["SKIPPED", "SKIPPED"]);
  expect(results.trials[0]?.reason).toBe("The budget is used up: $0.4000 of $0.35. It was cut off.");
  expect(results.usage).toMatchObject({ cost_usd: 0.4 });
});

test("an unknown cost is reported as unknown, and a cost budget warns that it cannot be enforced", async () => {
  const quiet = engineOf(async () => "ok");
  const yaml = "engines: [quiet]\nbudget: { cost_usd: 1 }\ncases: [{ id: c, prompt: x }]";
  const { results, output } = await evaluate(yaml, { quiet });
  expect(results.groups[0]?.usage).toEqual({});
  expect(results.warnings).toEqual(["The budget could not be enforced, because the usage of some runs is unknown."]);
  expect(await read(output, "report.html")).toContain(
    '<td class="number">unknown</td><td class="number">unknown</td></tr>',
  );
});

test("concurrent sessions are limited, and a free slot is filled immediately", async () => {
  let [running, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const engine = engineOf(async () => {
    running += 1;
    most = Math.max(most, running);
    // Blocks until three trials run at the same time.
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

test("an interrupted evaluation returns the results so far, and resumes with the missing trials", async () => {
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
  expect(await read(first.output, "report.html")).toContain("The evaluation was stopped before it was complete.");

  // A process crashed while it wrote a line.
  await writeFile(join(first.output, "results.jsonl"), '{"case_id":"c","engi', { flag: "a" });
  const { output } = first;
  const resumed = await evaluate(yaml, { e: engine }, { output, resume: true, fingerprint: "1" });
  expect(resumed.outcomes).toEqual(["PASS", "PASS", "PASS"]);
  expect(resumed.progress[0]).toEqual({ type: "eval_started", total: 3, reused: 1 });
  expect(calls).toBe(4);
  const completed = await evaluate(yaml, { e: engine }, { output, resume: true, fingerprint: "1" });
  expect(completed.outcomes).toEqual(["PASS", "PASS", "PASS"]);
  expect(calls).toBe(4);
  await expect(evaluate(yaml, { e: engine }, { output, resume: true, fingerprint: "2" })).rejects.toMatchObject({
    code: "config.invalid",
  });
  // A run without `resume` starts again, but keeps the old results as a backup.
  await evaluate(yaml, { e: engine }, { output, fingerprint: "1" });
  expect(calls).toBe(7);
  expect((await read(output, "results.previous.jsonl")).match(/"outcome":"PASS"/g)).toHaveLength(3);
});

test("with fail-fast, no trial starts after the first one that does not pass", async () => {
  const yaml =
    "engines: [e]\niterations: 2\ncases: [{ id: c, prompt: x }, { id: d, prompt: x, assert: [{ contains: no }] }]";
  const { outcomes, results } = await evaluate(yaml, { e: engineOf(async () => "ok") }, { failFast: true });
  expect(outcomes).toEqual(["PASS", "FAIL", "SKIPPED", "SKIPPED"]);
  expect(results.outcome).toBe("failed");
});
