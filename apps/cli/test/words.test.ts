import { expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const STACK = /\n\s+at /;

test("--version prints the version and nothing else", async () => {
  expect(await switchyard(["--version"])).toMatchObject({ exitCode: 0, stdout: "0.0.0", stderr: "" });
});

test.each([["run"], ["runs", "list"], ["runs", "show"], ["tools", "list"], ["tools", "call"], ["validate"], ["demo"]])(
  "the help of %s %s has an example",
  async (...words) => {
    const help = await switchyard([...words.filter((word) => word !== undefined), "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toMatch(/Examples?:\n {2}\S*.*switchyard /);
  },
);

test.each([
  [["run", "--modle", "x"], "Unknown option '--modle'. Did you mean --model?", "switchyard run --help"],
  [["rnu"], "Unknown command 'rnu'. Did you mean run?", "switchyard --help"],
  [["tools", "list", "--profile", "grok"], "openai, anthropic, gemini", "switchyard tools list --help"],
  [["run", "--max-turns", "many", "x"], "Write a whole number", "switchyard run --help"],
  [["run", "--timeout", "soon", "x"], "Write seconds or a time such as 90s", "switchyard run --help"],
  [[], "No command was given", "switchyard --help"],
])("%j is a usage error with a hint", async (words, sentence, hint) => {
  const { exitCode, stdout, stderr } = await switchyard(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(sentence);
  expect(stderr).toMatch(/^error: .*\nhint: .*$/);
  expect(stderr).toContain(hint);
  expect(stderr).not.toMatch(STACK);
});

test("--debug adds the stack", async () => {
  const { exitCode, stderr } = await switchyard(["validate", "/nowhere.json", "--debug"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(STACK);
});

test("nothing is coloured without a terminal", async () => {
  const { stdout, stderr } = await switchyard(["validate", "/nowhere.json"]);
  expect(stdout + stderr).not.toContain("\u001b");
});

test("a reader that goes away is no error", async () => {
  const folder = await makeFolder();
  const { exitCode, stderr } = await switchyard(["run", "--help"], { cwd: folder });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
