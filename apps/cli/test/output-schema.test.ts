import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const SCHEMA = { type: "object", properties: { colour: { enum: ["blue", "green"] } }, required: ["colour"] };

async function runWith(answers: readonly MockAnswer[], words: readonly string[] = []) {
  const { baseUrl, mock } = await startMockModel("anthropic", answers);
  const cwd = await makeFolder({ "colour.schema.json": JSON.stringify(SCHEMA) });
  const all = [
    "run",
    "--model",
    "anthropic/test-model",
    "--base-url",
    baseUrl,
    "--output-schema",
    "colour.schema.json",
  ];
  const env = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
  const ended = await switchyard([...all, ...words, "Which colour is it?"], { cwd, env });
  return { ...ended, cwd, requests: mock.getRequests() };
}

test("standard output contains only the document, and standard error the progress", async () => {
  const run = await runWith([{ name: "shell", arguments: { command: "echo looking" } }, '{"colour":"green"}']);
  expect(run).toMatchObject({ exitCode: 0, stdout: '{"colour":"green"}' });
  expect(run.stderr).toContain("→ shell echo looking");
  expect(run.stderr).toContain("Completed in");
});

test("an answer that does not fit the schema is requested again, and if none fits, the run ends", async () => {
  const repaired = await runWith(["It is green.", '```json\n{"colour":"green"}\n```']);
  expect(repaired).toMatchObject({ exitCode: 0, stdout: '{"colour":"green"}' });
  expect(JSON.stringify(repaired.requests.at(-1)?.body)).toContain("is not valid JSON");
  const failed = await runWith(["No.", "No.", "No."]);
  expect(failed).toMatchObject({ exitCode: 3, stdout: "" });
  expect(failed.stderr).toContain("The final message is not the requested JSON document");
  expect(failed.requests).toHaveLength(3);
});

test("the report has the document as it is", async () => {
  const { stdout } = await runWith(['{"colour":"blue","size":1}'], ["--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed", output: { colour: "blue", size: 1 } });
  const { stdout: lines } = await runWith(['{"colour":"blue"}'], ["--events", "jsonl"]);
  const last: unknown = JSON.parse(lines.trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "session_result", report: { output: { colour: "blue" } } });
});

test("a schema that cannot be used is refused before anything runs", async () => {
  const cwd = await makeFolder();
  const start = async (text: string) => {
    await writeFile(join(cwd, "s.json"), text);
    const words = ["run", "--model", "anthropic/m", "--output-schema", "s.json", "Do it."];
    return switchyard(words, { cwd, env: { ANTHROPIC_API_KEY: "test-key-that-is-not-real" } });
  };
  for (const text of ["[]", "{", '{"type":"no type"}']) {
    const { exitCode, stdout, stderr } = await start(text);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).not.toMatch(/^\s+at /mu);
  }
  expect((await start('{"type":"no type"}')).stderr).toContain("output.schema");
});
