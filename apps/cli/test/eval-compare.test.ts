import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../src/program/run-program.ts";
import { createFakeContext } from "./fake-context.ts";
import { makeFolder } from "./start-switchyard.ts";

/** Writes results of ten cases of which the first `failed` fail, and returns a function that compares. */
async function folderWith(results: Readonly<Record<string, number>>) {
  const cwd = await makeFolder();
  for (const [name, failed] of Object.entries(results)) {
    const trials = Array.from({ length: 10 }, (_, index) => ({
      ...{ case_id: `case-${index}`, engine: "agent", iteration: 1, run_id: "r", duration_ms: 1_000 },
      ...{ outcome: index < failed ? "FAIL" : "PASS", usage: { cost_usd: 1 + failed }, earlier_attempts: [] },
    }));
    const text = JSON.stringify({ format: 1, name: "suite", started_at: "2026-01-01T00:00:00.000Z", trials });
    await writeFile(join(cwd, name), text);
  }
  const compare = async (...words: string[]) => {
    const fake = createFakeContext({ workingDirectory: cwd, homeDirectory: cwd, words: ["eval", "compare", ...words] });
    return { exitCode: await runProgram(fake.context), printed: fake.printed(), told: fake.told() };
  };
  return { cwd, compare };
}

test("a gate exits with 5 on a regression and with 0 otherwise, and writes JUnit and JSON", async () => {
  const { cwd, compare } = await folderWith({ "base.json": 0, "worse.json": 8, "chance.json": 2 });
  const worse = await compare("base.json", "worse.json", "--gate", "--junit", "gate.xml", "--output", "gate.json");
  expect(worse).toMatchObject({ exitCode: 5, told: "" });
  expect(worse.printed).toContain("Gate failed:\n  The pass rate of agent fell by 80 points (p = 0.008).");
  expect(await readFile(join(cwd, "gate.xml"), "utf8")).toContain('tests="2" failures="1"');
  expect(JSON.parse(await readFile(join(cwd, "gate.json"), "utf8"))).toMatchObject({
    ...{ format: 1, outcome: "failed", problems: [{ kind: "pass_rate" }] },
  });
  expect(await compare("base.json", "chance.json", "--gate")).toMatchObject({
    exitCode: 0,
    printed: expect.stringContaining("Gate passed."),
  });
  const shown = await compare("base.json", "worse.json", "--json");
  expect(shown.exitCode).toBe(0);
  expect(JSON.parse(shown.printed)).toMatchObject({ outcome: "failed" });
});

test("limits are percentages, and history joins the base", async () => {
  const { compare } = await folderWith({ "base.json": 0, "older.json": 1, "new.json": 1 });
  const limited = await compare("base.json", "new.json", "--gate", "--max-cost-increase", "50%");
  expect(limited).toMatchObject({ exitCode: 5, printed: expect.stringContaining("more than 50 % above the base") });
  expect(await compare("base.json", "new.json", "--gate", "--max-cost-increase", "100")).toMatchObject({ exitCode: 0 });
  const pooled = await compare("base.json", "new.json", "--history", "older.json");
  expect(pooled.printed).toContain("case-0: 1 of 2 passed, now 0 of 1 (regressed, flaky");
  const wrong = await compare("base.json", "new.json", "--max-time-increase", "much");
  expect(wrong).toMatchObject({ exitCode: 2, told: expect.stringContaining("Write a percentage, for example 20%.") });
  expect(await compare("base.json", "none.json", "--gate")).toMatchObject({ exitCode: 2 });
  expect(await compare("base.json")).toMatchObject({
    exitCode: 2,
    told: expect.stringContaining("eval compare --help"),
  });
});
