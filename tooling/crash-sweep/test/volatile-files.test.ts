import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE_FILES } from "@switchyard/stores/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { volatileFiles } from "../src/variants/volatile-files.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "volatile-files-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const none = () => 0;
const path = (name: string) => join(root, name);

async function write(files: ReturnType<typeof volatileFiles>, name: string, texts: { kept: string; cached: string }) {
  const file = await files.open(path(name), "new");
  await file.write(Buffer.from(texts.kept));
  await file.sync();
  await file.write(Buffer.from(texts.cached));
  await file.close();
}

test("only bytes that were not flushed are lost", async () => {
  const files = volatileFiles(NODE_FILES);
  await write(files, "a", { kept: "kept", cached: " and lost" });
  await files.syncFolder(root);
  expect(readFileSync(path("a"), "utf8")).toBe("kept and lost");
  files.losePower(none);
  expect(readFileSync(path("a"), "utf8")).toBe("kept");
});

test("a new file whose folder was not flushed is gone", async () => {
  const files = volatileFiles(NODE_FILES);
  await write(files, "a", { kept: "kept", cached: "" });
  files.losePower(none);
  expect(readdirSync(root)).toEqual([]);
});

test("a rename that was not flushed is reverted, and the replaced file exists again", async () => {
  const files = volatileFiles(NODE_FILES);
  await write(files, "a", { kept: "old", cached: "" });
  await files.syncFolder(root);
  await write(files, "b", { kept: "new", cached: "" });
  await files.rename(path("b"), path("a"));
  expect(readFileSync(path("a"), "utf8")).toBe("new");
  files.losePower(none);
  expect(readdirSync(root)).toEqual(["a"]);
  expect(readFileSync(path("a"), "utf8")).toBe("old");
});

test("a flushed rename stays, with the content that was flushed under the old name", async () => {
  const files = volatileFiles(NODE_FILES);
  await files.makeFolder(path("lease"));
  await files.syncFolder(root);
  await write(files, "lease/a", { kept: "kept", cached: " lost" });
  await files.rename(path("lease/a"), path("a"));
  await files.syncFolder(root);
  files.losePower(none);
  expect(readFileSync(path("a"), "utf8")).toBe("kept");
});

test("the entries of a renamed folder are lost or kept depending on their own flushes", async () => {
  const files = volatileFiles(NODE_FILES);
  await files.makeFolder(path("new"));
  await write(files, "new/a", { kept: "a", cached: "" });
  await files.syncFolder(path("new"));
  await write(files, "new/b", { kept: "b", cached: "" });
  await files.rename(path("new"), path("run"));
  await files.syncFolder(root);
  files.losePower(none);
  expect(readdirSync(path("run"))).toEqual(["a"]);
});

test("a removal that was not flushed is reverted", async () => {
  const files = volatileFiles(NODE_FILES);
  await write(files, "a", { kept: "kept", cached: "" });
  await files.syncFolder(root);
  await files.remove(path("a"));
  files.losePower(none);
  expect(readFileSync(path("a"), "utf8")).toBe("kept");
});

test("a part of the unflushed data may have reached the disk", async () => {
  const files = volatileFiles(NODE_FILES);
  await write(files, "a", { kept: "kept", cached: " or not" });
  await files.syncFolder(root);
  files.losePower(() => 0.5);
  expect(readFileSync(path("a"), "utf8")).toBe("kept or");
});
