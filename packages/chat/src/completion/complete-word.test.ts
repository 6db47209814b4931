import { expect, test } from "vitest";
import { createLineEditor } from "../input/create-line-editor.ts";
import { completeWord } from "./complete-word.ts";
import { createCompleter } from "./create-completer.ts";
import { createFileList } from "./create-file-list.ts";

const FILES = ["src/index.ts", "src/input.ts", "docs/my notes.md", "README.md"];
const SOURCES = {
  commands: ["model", "mode", "help"],
  arguments: { mode: async () => ["plan", "ask", "auto"] },
  files: async () => FILES,
};

test.each([
  ["/mo", ["/model ", "/mode "]],
  ["/mode a", ["ask", "auto"]],
  ["/mode ", ["plan", "ask", "auto"]],
  ["/mode x", []],
  ["see @in", ["@src/input.ts ", "@src/index.ts "]],
  ["@README", ["@README.md "]],
  ["@notes", ['@"docs/my notes.md" ']],
  ["@sput", ["@src/input.ts "]],
  ["@zzz", []],
])("%j has the candidates %j", async (text, candidates) => {
  const completion = await completeWord({ text, cursor: text.length }, SOURCES);
  expect([...(completion?.candidates ?? [])].sort()).toEqual([...candidates].sort());
});

test.each(["plain", "mail me@src", "a /mo", "/model a", "a /mode a"])("%j is not completed", async (text) => {
  expect(await completeWord({ text, cursor: text.length }, SOURCES)).toBeUndefined();
});

test("the first Tab inserts the common start, the next ones each candidate", async () => {
  const editor = createLineEditor();
  const completer = createCompleter(editor, SOURCES);
  editor.set("see @src/ now", 9);
  await completer.complete(false);
  expect(editor.text).toBe("see @src/in now");
  await completer.complete(false);
  expect(editor.text).toBe("see @src/index.ts  now");
  await completer.complete(false);
  expect(editor.text).toBe("see @src/input.ts  now");
  expect(completer.shown?.chosen).toBe(1);
  await completer.complete(true);
  expect(editor.text).toBe("see @src/index.ts  now");
});

test("files are listed once within a few seconds, and again after a failure", async () => {
  let [listings, nowMs] = [0, 0];
  const glob = async (): Promise<string[]> => {
    listings += 1;
    if (listings === 1) throw new Error("unreadable");
    return FILES;
  };
  const list = createFileList({ glob }, () => nowMs);
  await expect(list()).rejects.toThrow("unreadable");
  expect(await list()).toEqual(FILES);
  await list();
  expect(listings).toBe(2);
  nowMs = 10_000;
  await list();
  expect(listings).toBe(3);
});
