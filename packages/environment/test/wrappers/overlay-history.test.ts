import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openOverlay } from "@switchyard/environment/wrappers";
import fc from "fast-check";
import { expect, test } from "vitest";

/** One change or search. There are few paths and contents, so that operations often affect the same entries. */
type Operation =
  | { readonly kind: "write"; readonly path: string; readonly content: string | Uint8Array }
  | { readonly kind: "make" | "remove" | "list" | "read" | "stat"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "grep" | "glob"; readonly pattern: string };

const name = fc.constantFrom("a", "b", "with space", 'qu"ote', "ünï\t", ".gitignore");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const line = fc.constantFrom("one", "two", "three", "", "x\r", "a", "needle ü", "*.log");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));
const content = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, content }),
  fc.record({ kind: fc.constantFrom("make" as const, "remove" as const, "list" as const), path }),
  fc.record({ kind: fc.constantFrom("read" as const, "stat" as const), path }),
  fc.record({ kind: fc.constant("rename" as const), path, to: path }),
  fc.record({ kind: fc.constant("rename" as const), path, to: path }),
  fc.record({ kind: fc.constant("grep" as const), pattern: fc.constantFrom("needle", "^one$", "ü|x") }),
  fc.record({ kind: fc.constant("glob" as const), pattern: fc.constantFrom("**/*", "a/*", "*", "**/a") }),
);

async function perform(environment: ExecutionEnvironment, done: Operation): Promise<unknown> {
  switch (done.kind) {
    case "write":
      return environment.writeFile(done.path, done.content);
    case "make":
      return environment.makeDirectory(done.path);
    case "remove":
      return environment.remove(done.path);
    case "rename":
      return environment.rename(done.path, done.to);
    case "list":
      return environment.listDirectory(done.path, 3);
    case "read":
      return environment.readFile(done.path);
    case "stat":
      return (await environment.stat(done.path)).kind;
    case "grep":
      return environment.grep(done.pattern, { contextLines: 1 });
    case "glob":
      // Sorted, because the order of results depends on modification times.
      return (await environment.glob(done.pattern)).sort();
  }
}

async function outcomeOf(environment: ExecutionEnvironment, done: Operation): Promise<unknown> {
  try {
    return await perform(environment, done);
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    return { code: error.code, path: error.details["path"] };
  }
}

/** Returns every folder, and every file with its content. */
function treeOf(root: string, { folders = true } = {}): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const at = join(entry.parentPath, entry.name);
    if (entry.isFile()) tree[at.slice(root.length + 1)] = readFileSync(at).toString("hex");
    else if (folders) tree[at.slice(root.length + 1)] = "folder";
  }
  return Object.fromEntries(Object.entries(tree).sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function checkHistory(before: readonly Operation[], history: readonly Operation[]): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "overlay-")));
  try {
    const [base, plain, patched] = ["base", "plain", "patched"].map((one) => join(folder, one));
    if (base === undefined || plain === undefined || patched === undefined) return;
    cpSync(mkdtempSync(join(folder, "empty-")), base, { recursive: true });
    const open = (root: string) => openLocalEnvironment({ root, env: process.env });
    await using below = await open(base);
    for (const done of before) await outcomeOf(below, done);
    cpSync(base, plain, { recursive: true });
    cpSync(base, patched, { recursive: true });
    await using expected = await open(plain);
    const untouched = treeOf(base);
    const overlay = openOverlay(below, { keepOpen: true });
    for (const done of history) {
      expect(await outcomeOf(overlay.environment, done), JSON.stringify(done)).toEqual(await outcomeOf(expected, done));
    }
    expect(treeOf(base)).toEqual(untouched);
    const all: Operation = { kind: "list", path: "." };
    expect(await outcomeOf(overlay.environment, all)).toEqual(await outcomeOf(expected, all));
    const diff = await overlay.diff();
    if (diff !== "") execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: patched, input: diff });
    expect(treeOf(patched, { folders: false })).toEqual(treeOf(plain, { folders: false }));
    const applied = await overlay.apply();
    expect(applied.kind === "conflict" ? applied.conflicts : []).toEqual([]);
    expect(treeOf(base)).toEqual(treeOf(plain));
    expect(await overlay.changes()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("an overlay behaves like a copy, and applying it or its diff gives the same base [loop-4.4-1]", async () => {
  const histories = fc.tuple(fc.array(operation, { maxLength: 15 }), fc.array(operation, { maxLength: 25 }));
  await fc.assert(
    fc.asyncProperty(histories, ([before, history]) => checkHistory(before, history)),
    { numRuns: 40 },
  );
});
