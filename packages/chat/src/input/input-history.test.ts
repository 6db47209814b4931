import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createInputHistory } from "./create-input-history.ts";
import { openHistoryFile } from "./history-file.ts";

test("the arrow keys move through earlier inputs and back to the draft", () => {
  const history = createInputHistory(["one", "two"]);
  history.add("two");
  expect([history.previous("draft"), history.previous("two"), history.previous("one")]).toEqual([
    "two",
    "one",
    undefined,
  ]);
  expect([history.next(), history.next(), history.next()]).toEqual(["two", "draft", undefined]);
});

test("inputs are stored in a file that only its owner can read; damaged lines are skipped", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-history-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "chat", "inputs.jsonl");
  const file = openHistoryFile(path);
  expect(await file.read()).toEqual([]);
  await file.append("one\ntwo");
  await writeFile(path, '"cut o', { flag: "a" });
  await file.append("lost with the damaged line");
  await file.append("three");
  expect(await file.read()).toEqual(["one\ntwo", "three"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "chat"))).mode & 0o777).toBe(0o700);
});

test("a long file is shortened to its newest inputs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-history-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "inputs.jsonl");
  await writeFile(path, Array.from({ length: 1_200 }, (_, index) => `"${index}"\n`).join(""));
  const entries = await openHistoryFile(path).read();
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([500, "700", "1199"]);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(501);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
