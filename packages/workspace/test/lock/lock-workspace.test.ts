import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockWorkspace } from "@switchyard/workspace";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { startLockers } from "./start-lockers.ts";

const FOLDERS = [".", "a", "a/b", "a/b/c", "a/bb", "ab", "d", "d/e"] as const;

function makePlace() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lock-workspace-")));
  const [root, state] = [join(folder, "root"), join(folder, "state")];
  for (const path of FOLDERS) mkdirSync(join(root, path), { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const left: string[] = [];
  const take = (path: string, runId: string) =>
    lockWorkspace(join(root, path), { state, runId, onTakeover: async (at, run) => void left.push(`${run} ${at}`) });
  return { folder, root, state, take, left };
}

/** Returns whether two folders are equal or one contains the other. */
function isNested(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => (path === "." ? "/" : `/${path}/`));
  return first !== undefined && second !== undefined && (first.startsWith(second) || second.startsWith(first));
}

test("a lock on a folder covers its parents and children, and no other folder", async () => {
  for (const one of FOLDERS) {
    const { take, state } = makePlace();
    const held = await take(one, "first");
    for (const other of FOLDERS) {
      const attempt = take(other, "second");
      if (isNested(one, other)) await expect(attempt).rejects.toMatchObject({ code: "workspace.locked" });
      else await (await attempt)[Symbol.asyncDispose]();
    }
    await held[Symbol.asyncDispose]();
    for (const other of FOLDERS) await (await take(other, "third"))[Symbol.asyncDispose]();
    expect(readdirSync(join(state, "locks"))).toEqual([]);
    expect(
      readdirSync(join(state, "lock-index")).flatMap((name) => readdirSync(join(state, "lock-index", name))),
    ).toEqual([]);
  }
});

test("no two nested folders are locked at the same time, in any order of operations", async () => {
  const step = fc.record({ folder: fc.constantFrom(...FOLDERS), isTaken: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { take } = makePlace();
      const held = new Map<string, AsyncDisposable>();
      for (const [index, { folder, isTaken }] of steps.entries()) {
        if (!isTaken) {
          await held.get(folder)?.[Symbol.asyncDispose]();
          held.delete(folder);
          continue;
        }
        const isFree = ![...held.keys()].some((other) => isNested(folder, other));
        const lock = await take(folder, `run-${index}`).catch(() => undefined);
        expect(lock !== undefined).toBe(isFree);
        if (lock !== undefined) held.set(folder, lock);
      }
      for (const lock of held.values()) await lock[Symbol.asyncDispose]();
    }),
    { numRuns: 25 },
  );
});

test("links are resolved to their target folder", async () => {
  const { take, root } = makePlace();
  symlinkSync(join(root, "a/b"), join(root, "link"));
  await using _held = await take("link", "first");
  for (const path of ["a", "a/b/c"])
    await expect(take(path, "second")).rejects.toMatchObject({ code: "workspace.locked" });
});

test("a folder mounted at two paths is one folder", async ({ skip }) => {
  const { take, root, folder } = makePlace();
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  try {
    execFileSync("mount", ["--bind", join(root, "a/b"), elsewhere], { stdio: "ignore" });
  } catch {
    skip("this user cannot mount folders");
  }
  onTestFinished(() => void execFileSync("umount", [elsewhere]));
  const mounted = await take("../elsewhere", "first");
  for (const path of [".", "a", "a/b", "a/b/c"]) {
    await expect(take(path, "second")).rejects.toMatchObject({ code: "workspace.locked" });
  }
  await mounted[Symbol.asyncDispose]();
  await using _above = await take("a", "third");
  for (const path of ["../elsewhere", "../elsewhere/c"]) {
    await expect(take(path, "fourth")).rejects.toMatchObject({ code: "workspace.locked" });
  }
});

test("of many concurrent processes exactly one locks nested folders; dead processes block none", async () => {
  const { root, state, take, left } = makePlace();
  const lockers = await startLockers(state, 8);
  const chain = [".", "a", "a/b", "a/b/c"];
  for (let round = 0; round < 6; round += 1) {
    const answers = await Promise.all(
      lockers.map((locker, index) => locker.tell(`take ${join(root, chain[(index + round) % chain.length] ?? ".")}`)),
    );
    expect(answers.filter((answer) => answer === "taken")).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(["taken", "refused workspace.locked"]));
    await lockers[answers.indexOf("taken")]?.tell("give");
  }
  expect(await lockers[0]?.tell(`take ${join(root, "a/b")}`)).toBe("taken");
  await lockers[0]?.kill();
  await using _above = await take(".", "after");
  expect(left).toEqual([`run-0 ${join(root, "a/b")}`]);
});
