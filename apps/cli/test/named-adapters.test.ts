import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { GEMINI } from "./fake-gemini.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEY = "the-gemini-key-of-nobody-0123456789";

async function makeProject(): Promise<{ cwd: string; bin: string; env: Record<string, string> }> {
  const cwd = await makeFolder({ "README.md": "# demo\n" });
  const bin = await makeFolder({ gemini: GEMINI });
  await chmod(join(bin, "gemini"), 0o755);
  return { cwd, bin, env: { PATH: `${bin}${delimiter}${process.env["PATH"]}`, GEMINI_API_KEY: KEY } };
}

async function notedIn(cwd: string): Promise<unknown[]> {
  const lines = (await readFile(join(cwd, "noted.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("an agent of the Agent Client Protocol is an engine by its name: the same view and result [adapter-contract-11] [adapter-registry-1]", async () => {
  const { cwd, env } = await makeProject();
  const words = ["run", "--engine", "acp:gemini", "--model", "gemini/gemini-2.5-pro", "--state", "state", "--direct"];
  const shown = await switchyard([...words, "--output", "result.json", "Do it."], { cwd, env });
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  for (const part of ["> Do it.", "execute", "Done.", "Completed in"]) expect(shown.stdout).toContain(part);
  expect(shown.stdout).not.toContain(KEY);
  const result: unknown = JSON.parse(await readFile(join(cwd, "result.json"), "utf8"));
  expect(result).toMatchObject({ exit_code: 0, final_message: "Done.", engine: "acp:gemini", input_tokens: 2400 });
  expect(await notedIn(cwd)).toEqual([
    { args: ["--acp", "--model", "gemini-2.5-pro"] },
    { prompt: "Do it." },
    { outcome: { outcome: "selected", optionId: "no" } },
  ]);
});

test("any such agent is an engine by its command, in a file [adapter-launch-2] [adapter-passthrough-config-5]", async () => {
  const { cwd, bin, env } = await makeProject();
  const file = `engine:\n  name: acp\n  adapter: { command: ${join(bin, "gemini")} serve, allowed_kinds: [execute] }\n`;
  await writeFile(join(cwd, "right.yaml"), file);
  await writeFile(join(cwd, "wrong.yaml"), "engine:\n  name: acp\n  adapter: { mode: code }\n");
  expect(await switchyard(["validate", "right.yaml"], { cwd, env })).toMatchObject({ exitCode: 0 });
  const run = await switchyard(["run", "--engine", "./right.yaml", "--state", "state", "Do it."], { cwd, env });
  expect(run.exitCode).toBe(0);
  expect(await notedIn(cwd)).toEqual([
    { args: ["serve"] },
    { prompt: "Do it." },
    { outcome: { outcome: "selected", optionId: "yes" } },
  ]);
  const found = await switchyard(["validate", "wrong.yaml"], { cwd, env });
  expect(found.exitCode).not.toBe(0);
  expect(found.stdout + found.stderr).toContain("acp.command");
});

test.each([
  ["copilot", "The agent copilot was not found"],
  ["kiro", "The agent kiro-cli was not found"],
  ["acp:opencode", "The agent opencode was not found"],
])("%s is known by name; its command is looked for before anything runs [adapter-launch-3]", async (name, message) => {
  const cwd = await makeFolder();
  const env = { PATH: "/usr/bin:/bin" };
  const run = await switchyard(["run", "--engine", name, "--state", "state", "Do it."], { cwd, env });
  expect(run.exitCode).toBe(3);
  expect(run.stdout + run.stderr).toContain(message);
});
