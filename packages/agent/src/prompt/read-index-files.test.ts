import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { withLogging } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { readProjectDocuments } from "./project-documents.ts";

const names = ["AGENTS.md", ".codex/instructions.md"];

function git(workspace: Workspace, ...args: string[]): void {
  execFileSync("git", args, { cwd: workspace.root, stdio: "ignore" });
}

/** Wraps an environment and counts the started processes and file operations. */
function countCalls(environment: ExecutionEnvironment): { environment: ExecutionEnvironment; calls: () => number } {
  let count = 0;
  const counted = withLogging(environment, ({ type }) => {
    if (type === "started") count += 1;
  });
  return { environment: counted, calls: () => count };
}

async function documentsAtDepth(depth: number): Promise<{ text: string; calls: number }> {
  const folders = Array.from({ length: depth }, () => "d");
  const middle = folders.slice(0, depth / 2).join("/");
  const files = { "AGENTS.md": "at the root", [`${middle}/.codex/instructions.md`]: "in the middle" };
  await using workspace = await openWorkspace(files, folders.join("/"));
  git(workspace, "init");
  git(workspace, "add", ".");
  const { environment, calls } = countCalls(workspace.environment);
  const text = await readProjectDocuments(environment, { names, gitRoot: workspace.root });
  return { text, calls: calls() };
}

test("two hundred nested folders cost as many processes and reads as ten", async () => {
  const [few, many] = [await documentsAtDepth(10), await documentsAtDepth(200)];
  for (const { text } of [few, many]) expect(text).toMatch(/at the root.*in the middle/s);
  expect(many.calls).toBe(few.calls);
  expect(many.calls).toBeLessThan(10);
});

test("hundreds of documents above the workspace are read by a few processes, in order", async () => {
  const folders = Array.from({ length: 200 }, (_, index) => Array.from({ length: index + 1 }, () => "d").join("/"));
  const files = Object.fromEntries(folders.map((folder, index) => [`${folder}/AGENTS.md`, `number ${index}.`]));
  await using workspace = await openWorkspace(files, folders.at(-1));
  git(workspace, "init");
  git(workspace, "add", ".");
  const { environment, calls } = countCalls(workspace.environment);
  const text = await readProjectDocuments(environment, { names, gitRoot: workspace.root });
  expect(text.indexOf("number 0.")).toBeGreaterThan(0);
  expect(text.indexOf("number 12.")).toBeGreaterThan(text.indexOf("number 11."));
  expect(calls()).toBeLessThan(40);
});

test("links, empty and binary files, and files git does not know are left out; any name and bytes are read", async () => {
  const odd = "a b/:(top)*\n[x]\té";
  await using workspace = await openWorkspace(
    {
      "AGENTS.md": "",
      "one/AGENTS.md": "with a NUL\0",
      [`one/${odd}/AGENTS.md`]: Uint8Array.of(0xff, ...Buffer.from("second\n")),
      [`one/${odd}/.codex/instructions.md`]: "third",
      [`one/${odd}/in/AGENTS.md`]: "unknown to git",
      [`one/${odd}/in/.codex/secret.md`]: "behind a link",
    },
    `one/${odd}/in/workspace`,
  );
  await symlink("secret.md", join(workspace.root, "one", odd, "in/.codex/instructions.md"));
  git(workspace, "init");
  git(workspace, "add", ".", ":!**/in/AGENTS.md");
  const text = await readProjectDocuments(workspace.environment, { names, gitRoot: workspace.root });
  expect(text).toContain("\uFFFDsecond");
  expect(text).toContain("third");
  for (const word of ["NUL", "unknown", "link", "secret.md"]) expect(text).not.toContain(word);
});

test("a document larger than the limit is truncated, and later ones are not read", async () => {
  await using workspace = await openWorkspace(
    { "AGENTS.md": "first", "a/AGENTS.md": "x".repeat(3_000_000), "a/b/AGENTS.md": "last" },
    "a/b",
  );
  git(workspace, "init");
  git(workspace, "add", ".");
  const text = await readProjectDocuments(workspace.environment, { names, gitRoot: workspace.root });
  expect(text).toContain("first");
  expect(text).toContain("[Project instructions truncated at 32KB]");
  expect(text.length).toBeLessThan(34 * 1024);
  expect(text).not.toContain("last");
});
