import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

test.each([
  ["openai", "apply_patch"],
  ["anthropic", "edit_file"],
  ["gemini", "read_many_files"],
])("the tools of %s are listed with their definitions", async (profile, own) => {
  const { exitCode, stdout } = await switchyard(["tools", "list", "--profile", profile, "--json"]);
  expect(exitCode).toBe(0);
  const tools: unknown = JSON.parse(stdout);
  expect(tools).toContainEqual({
    name: own,
    description: expect.any(String),
    parameters: expect.objectContaining({ type: "object" }),
  });
  const list = await switchyard(["tools", "list", "--profile", profile]);
  expect(list.stdout).toMatch(new RegExp(`^${own} +\\S`, "m"));
});

test("a tool works in the workspace and prints the text that a model would receive", async () => {
  const workspace = await makeFolder({ "a.txt": "needle\n" });
  const call = ["tools", "call", "grep", "--profile", "anthropic", "--workspace", workspace];
  const { exitCode, stdout } = await switchyard([...call, "--args", '{"pattern":"needle"}']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("a.txt:1") });
});

test("arguments may come from standard input", async () => {
  const workspace = await makeFolder();
  const call = ["tools", "call", "write_file", "--profile", "gemini", "-w", workspace, "--args", "-"];
  expect(await switchyard(call, { input: '{"file_path":"new.txt","content":"hello"}' })).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(workspace, "new.txt"), "utf8")).toBe("hello");
});

test.each([
  ["a file that is not there", "read_file", '{"file_path":"nothing.txt"}'],
  ["arguments that do not fit", "read_file", '{"file_path":7}'],
  ["a path outside of the workspace", "read_file", '{"file_path":"../../etc/passwd"}'],
  ["a tool that does not exist", "fly", "{}"],
])("%s fails the tool: exit code 1, the reason as a model would see it", async (_, tool, args) => {
  const { exitCode, stdout, stderr } = await switchyard(["tools", "call", tool, "--profile", "openai", "--args", args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(stdout).not.toBe("");
});

test.each([
  ["no JSON", "{pattern}", "they are not valid JSON"],
  ["no text", "", "file_path"],
  ["nothing", "null", "they must be a JSON object"],
  // Arguments that a model encoded twice are decoded. The error is only that the path is missing.
  ["an object in quotes", '"{}"', "file_path"],
  ["too deep", `{"file_path":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "nested deeper"],
])("arguments that are %s fail the tool as they do in a session", async (_, args, problem) => {
  const call = ["tools", "call", "read_file", "--profile", "openai", "--json", "--args", "-"];
  const { exitCode, stdout, stderr } = await switchyard(call, { input: args });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ isError: true, content: expect.stringContaining(problem) });
});

test("a byte order mark before the arguments is ignored", async () => {
  const call = ["tools", "call", "list_dir", "--profile", "gemini", "-w", await makeFolder(), "--args", "-"];
  expect(await switchyard(call, { input: "\uFEFF{}" })).toMatchObject({ exitCode: 0 });
});

test("a name that was mistyped is hinted at", async () => {
  const { exitCode, stdout, stderr } = await switchyard(["tools", "call", "raed_file", "--profile", "openai"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "hint: Did you mean read_file?" });
  expect(stdout).toContain("Unknown tool: raed_file");
});

test("the vendor's own names can be looked at and called", async () => {
  const names = ["--profile", "anthropic", "--tool-names", "native"];
  const list = await switchyard(["tools", "list", ...names]);
  expect(list.stdout).toMatch(/^Bash +Run a bash command/m);
  const call = await switchyard(["tools", "call", "Bash", ...names, "--args", '{"command":"echo hi"}', "--json"]);
  expect(call.exitCode).toBe(0);
  expect(JSON.parse(call.stdout)).toMatchObject({ isError: false, details: { exitCode: 0 } });
});

test("web pages are fetched on request, but never pages of this machine [loop-3.6-5]", async () => {
  const profile = ["--profile", "gemini"];
  expect((await switchyard(["tools", "list", ...profile])).stdout).not.toContain("web_fetch");
  expect((await switchyard(["tools", "list", ...profile, "--web"])).stdout).toMatch(/^web_fetch /m);
  const page = ["--args", '{"url":"http://127.0.0.1:1/"}'];
  const { exitCode, stdout } = await switchyard(["tools", "call", "web_fetch", ...profile, "--web", ...page]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringContaining("not a public address") });
});

test("a workspace that is not there is a usage error", async () => {
  const call = ["tools", "call", "glob", "--profile", "openai", "--workspace", "/no/such/folder"];
  const { exitCode, stderr } = await switchyard(call);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("/no/such/folder") });
});
