import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const SCHEMAS = resolve(import.meta.dirname, "../../../fixtures/schemas");
const TYPES = { "session-input": "SessionInput", "session-result": "SessionResult" } as const;

test("a file is named after the contract it follows", async () => {
  for (const [folder, type] of Object.entries(TYPES)) {
    const file = join(SCHEMAS, folder, "valid-minimal.json");
    expect(await switchyard(["validate", file])).toMatchObject({ exitCode: 0, stdout: `${file} is a valid ${type}.` });
  }
});

test("every example is valid or invalid as its name says", async () => {
  for (const [folder, type] of Object.entries(TYPES)) {
    for (const name of readdirSync(join(SCHEMAS, folder))) {
      const { exitCode, stdout } = await switchyard(["validate", "--json", join(SCHEMAS, folder, name)]);
      const finding: unknown = JSON.parse(stdout);
      expect([name, exitCode]).toEqual([name, name.startsWith("valid") ? 0 : 2]);
      if (name !== "invalid-no-messages.json") expect(finding).toMatchObject({ type, valid: exitCode === 0 });
    }
  }
});

test("an invalid file is refused with the fields that are wrong", async () => {
  const folder = await makeFolder({ "case.json": '{"messages":[{"role":"robot","content":1}],"max_turns":-1}' });
  const { exitCode, stderr } = await switchyard(["validate", "case.json"], { cwd: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /case\.json is not a valid SessionInput: messages\[0\]\.role: .*messages\[0\]\.content: .*max_turns: /,
  );
});

test("a result that every run would refuse is refused here too: an artifact without a source [custom-artifacts-3]", async () => {
  const files = [{ name: "a.md", path: "a.md" }, { name: "b.md" }];
  const result = JSON.stringify({ exit_code: 0, final_message: "done", artifacts: { files } });
  const folder = await makeFolder({ "result.json": result });
  const { exitCode, stderr } = await switchyard(["validate", "result.json"], { cwd: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("artifacts.files[1]: one of path, url, content and content_base64 is required");
});

test("broken JSON is refused with the position", async () => {
  const folder = await makeFolder({ "case.json": '{\n  "messages": [,]\n}' });
  const { exitCode, stderr } = await switchyard(["validate", "case.json"], { cwd: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("case.json is not valid JSON at line 2, column 16");
});

test("a document may come from standard input", async () => {
  const { exitCode, stdout } = await switchyard(["validate", "-"], { input: '{"exit_code":0,"final_message":""}' });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "- is a valid SessionResult." });
});

test("a file that is not there and a folder are refused", async () => {
  const folder = await makeFolder();
  expect((await switchyard(["validate", "nothing.json"], { cwd: folder })).stderr).toContain(
    "cannot be read: it does not exist",
  );
  expect(await switchyard(["validate", folder])).toMatchObject({ exitCode: 2 });
});
