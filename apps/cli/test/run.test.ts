import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { type MockAnswer, startMockModel, type WireFormat } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEYS = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  gemini: "GEMINI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
} as const;
const FORMATS: readonly WireFormat[] = ["openai", "anthropic", "gemini"];
const TASK: readonly MockAnswer[] = [
  { name: "write_file", arguments: { file_path: "hello.txt", content: "hello\n" } },
  { name: "shell", arguments: { command: "cat hello.txt" } },
  "The file is there.",
];

test.each(FORMATS)("a tool-using task runs against a foreign %s server", async (format) => {
  const { baseUrl, mock } = await startMockModel(format, TASK);
  const workspace = await makeFolder();
  const words = ["run", "--model", `${format}/test-model`, "--base-url", baseUrl, "--workspace", workspace];
  const run = await switchyard([...words, "--output", "result.json", "Write", "a", "greeting"], {
    cwd: workspace,
    env: { [KEYS[format]]: "test-key-that-is-not-real" },
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await readFile(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
  expect(run.stdout).toContain("→ shell cat hello.txt");
  expect(run.stdout).toContain("The file is there.");
  expect(mock.getRequests()).toHaveLength(3);
  const result: unknown = JSON.parse(await readFile(join(workspace, "result.json"), "utf8"));
  expect(result).toMatchObject({ exit_code: 0, final_message: "The file is there.", model: `${format}/test-model` });
  expect(await schemaErrors("session-result", result)).toEqual([]);
});

test("a model uses the tool names of its vendor's agent, fetches only permitted addresses, and ends with all processes it started", async () => {
  const { baseUrl, mock } = await startMockModel("anthropic", [
    { name: "Write", arguments: { file_path: "hello.txt", content: "hello\n" } },
    { name: "Bash", arguments: { command: "echo $$ > pid; sleep 300", run_in_background: true } },
    { name: "Bash", arguments: { command: "until test -s pid; do sleep 0.02; done" } },
    { name: "WebFetch", arguments: { url: "http://127.0.0.1:9/", prompt: "What is there?" } },
    "All done.",
  ]);
  const workspace = await makeFolder();
  const words = ["run", "--model", "anthropic/test-model", "--base-url", baseUrl, "--tool-names", "native", "--web"];
  const run = await switchyard([...words, "Do it."], {
    cwd: workspace,
    env: { ANTHROPIC_API_KEY: "test-key-that-is-not-real" },
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("→ Write hello.txt");
  expect(run.stdout).toContain("All done.");
  expect(await readFile(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
  const pid = Number(await readFile(join(workspace, "pid"), "utf8"));
  // A zombie process has an empty command line.
  expect(await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).toBe("");
  expect(JSON.stringify(mock.getLastRequest()?.body)).toContain("127.0.0.1 was not fetched");
});

async function schemaErrors(name: string, value: unknown): Promise<unknown[]> {
  const path = resolve(import.meta.dirname, `../../../packages/contracts/json-schemas/${name}.schema.json`);
  const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(await readFile(path, "utf8")));
  return validate(value) ? [] : (validate.errors ?? []);
}
