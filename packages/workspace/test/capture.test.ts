import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import {
  applyFileChanges,
  CaptureLimit,
  createChangeTracker,
  type FileChanges,
  listFiles,
  parseFileChanges,
  parseFileList,
  renderFileList,
} from "../src/index.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-capture-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Step =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "folder" | "remove"; readonly path: string }
  | { readonly kind: "mode"; readonly path: string; readonly mode: number };

const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("write"), path, text: fc.constantFrom("one", "two", "") }),
  fc.record({ kind: fc.constant("link"), path, target: fc.constantFrom("a", "/etc", "../x") }),
  fc.record({ kind: fc.constantFrom("folder", "remove"), path }),
  fc.record({ kind: fc.constant("mode"), path, mode: fc.constantFrom(0o644, 0o755, 0o700) }),
);

/** Makes a change; steps that are impossible in the current state change nothing. */
async function make(root: string, change: Step): Promise<void> {
  const target = join(root, change.path);
  const parts = change.path.split("/").slice(0, -1);
  for (let length = 1; length <= parts.length; length += 1) {
    const parent = join(root, ...parts.slice(0, length));
    if (
      await readlink(parent).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  if (change.kind === "remove") return rm(target, { recursive: true, force: true }).catch(() => undefined);
  if (change.kind === "mode") {
    if (
      await readlink(target).then(
        () => true,
        () => false,
      )
    )
      return;
    return chmod(target, change.mode).catch(() => undefined);
  }
  const isMade = await mkdir(join(target, ".."), { recursive: true }).then(
    () => true,
    () => false,
  );
  if (!isMade) return;
  if (change.kind === "folder") await mkdir(target).catch(() => undefined);
  else await rm(target, { recursive: true, force: true });
  if (change.kind === "write") await writeFile(target, change.text);
  if (change.kind === "link") await symlink(change.target, target);
}

/** Returns the whole content of a folder, with permissions, as text. */
async function describe(root: string): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const name = full.slice(root.length);
    if (entry.isSymbolicLink()) lines.push(`${name} -> ${await readlink(full)}`);
    else {
      const mode = ((await stat(full)).mode & 0o777).toString(8);
      lines.push(entry.isDirectory() ? `${name}/ ${mode}` : `${name} ${mode} ${await readFile(full, "utf8")}`);
    }
  }
  return lines.sort();
}

test("changes that were captured in one folder make another folder with the same beginning equal, whatever they are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      async (beginning, rounds) => {
        const [here, there] = [await makeFolder(), await makeFolder()];
        for (const root of [here, there]) for (const change of beginning) await make(root, change);
        await using environment = await openLocalEnvironment({ root: here, spawnHelper: "never", ripgrep: false });
        const base = parseFileList(renderFileList(await listFiles(here)));
        if (base === undefined) throw new Error("The list cannot be parsed.");
        const tracker = createChangeTracker(environment, base);
        const contents = new Map<string, Uint8Array>();
        let changes: FileChanges | undefined;
        for (const round of rounds) {
          for (const change of round) await make(here, change);
          changes = await tracker.capture(async (hash, content) => {
            contents.set(hash, content);
            return hash;
          });
        }
        const stored = parseFileChanges(JSON.stringify(changes));
        if (stored === undefined) throw new Error("The changes cannot be parsed.");
        await applyFileChanges(there, stored, async (name) => contents.get(name));
        expect(await describe(there)).toEqual(await describe(here));
      },
    ),
    { numRuns: 60 },
  );
});

test("only contents that have changed since the last capture are stored, and installed packages never are", async () => {
  const root = await makeFolder();
  await writeFile(join(root, "old.txt"), "old");
  await using environment = await openLocalEnvironment({ root, spawnHelper: "never", ripgrep: false });
  const { files } = await listFiles(root);
  // The initial files are old enough for their times to identify their content.
  const tracker = createChangeTracker(environment, { files, listedMs: Date.now() + 1_000 });
  await mkdir(join(root, "node_modules/package"), { recursive: true });
  await writeFile(join(root, "node_modules/package/index.js"), "installed");
  await writeFile(join(root, "new.txt"), "new");
  const stored: string[] = [];
  const store = async (hash: string, content: Uint8Array): Promise<string> => {
    stored.push(Buffer.from(content).toString());
    return hash;
  };
  const { changed } = await tracker.capture(store);
  expect(changed.map((entry) => entry.path)).toEqual(["new.txt"]);
  expect(stored).toEqual(["new"]);
});

test("a file that a run replaced by a link to the outside is stored as a link, without the file it names", async () => {
  const [root, outside] = [await makeFolder(), await makeFolder()];
  await writeFile(join(outside, "secret.txt"), "secret");
  await writeFile(join(root, "a.txt"), "a");
  const base = await listFiles(root);
  await rm(join(root, "a.txt"));
  await symlink(join(outside, "secret.txt"), join(root, "a.txt"));
  await symlink(outside, join(root, "folder"));
  await using environment = await openLocalEnvironment({ root, spawnHelper: "never", ripgrep: false });
  const changes = await createChangeTracker(environment, base).capture(() => Promise.reject(new Error("was read")));
  expect(changes.changed).toEqual(
    expect.arrayContaining([
      { path: "a.txt", kind: "link", target: join(outside, "secret.txt") },
      { path: "folder", kind: "link", target: outside },
    ]),
  );
});

test("changes above the limit are refused", async () => {
  const root = await makeFolder();
  await using environment = await openLocalEnvironment({ root, spawnHelper: "never", ripgrep: false });
  const tracker = createChangeTracker(environment, await listFiles(root));
  const file = join(root, "large");
  await writeFile(file, "");
  await truncate(file, 64 * 1024 * 1024 + 1);
  await expect(tracker.capture(async (hash) => hash)).rejects.toBeInstanceOf(CaptureLimit);
});

test.each(["../x", "/x", "a/../../x", ""])("stored changes that name %j are not accepted", (name) => {
  const text = (removed: string[], changed: object[]): string => JSON.stringify({ format: 1, removed, changed });
  expect(parseFileChanges(text([name], []))).toBeUndefined();
  expect(parseFileChanges(text([], [{ path: name, kind: "folder", mode: 0o755 }]))).toBeUndefined();
});

test("no entry is written through a link", async () => {
  const [root, outside] = [await makeFolder(), await makeFolder()];
  await symlink(outside, join(root, "folder"));
  const changed = [{ path: "folder/x", kind: "file", mode: 0o644, size: 1, content: "x" }] as const;
  await expect(
    applyFileChanges(root, { format: 1, removed: [], changed }, async () => Buffer.from("x")),
  ).rejects.toThrow("outside");
  expect(await readdir(outside)).toEqual([]);
});
