import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { takeSnapshot } from "../src/index.ts";

const execute = promisify(execFile);

const SET_UP = `mkdir d gone; echo a > a; chmod 600 a; echo l > d/l; printf n > "$(printf 'n\\nl')"; mkfifo pipe
truncate -s 11000000 large; git init -q in; echo i > in/i`;
const AGENT = `chmod 640 a; rmdir gone; mkdir made; echo m >> d/l; printf o > "$(printf 'n\\nl')"; rm pipe; mkfifo pipe2
truncate -s 11000000 large2; echo more >> large; echo j >> in/i`;

/** Returns the changes of a simulated run, in an environment whose tools come from `PATH`. */
async function changesWith(path: string, setUp: string) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-find-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "root");
  await mkdir(root);
  await execute("sh", ["-ec", setUp], { cwd: root });
  await using environment = await openLocalEnvironment({ root, env: { PATH: path, HOME: folder } });
  const snapshot = await takeSnapshot(environment, { scratch: join(folder, "scratch") });
  await execute("sh", ["-ec", AGENT], { cwd: root });
  const { diff, record } = (await snapshot?.changes()) ?? {};
  const leftOut = record?.leftOut.map(({ path: name, reason }) => `${reason} ${name}`).sort();
  return { diff, record: { ...record, leftOut, modes: [...(record?.modes ?? [])].sort() } };
}

test.for([
  { kind: "plain folder", setUp: SET_UP },
  { kind: "repository", setUp: `${SET_UP}; git init -q; git add a d` },
])("changes of a $kind are the same if find cannot print the state of files", async ({ setUp }) => {
  const tools = await mkdtemp(join(tmpdir(), "switchyard-tools-"));
  onTestFinished(() => rm(tools, { recursive: true, force: true }));
  const { stdout: find } = await execute("sh", ["-c", "command -v find"]);
  // The versions of macOS and of BusyBox.
  const other = `#!/bin/sh\ncase "$*" in *-printf*) exit 1 ;; esac\nexec ${find.trim()} "$@"\n`;
  await writeFile(join(tools, "find"), other);
  await chmod(join(tools, "find"), 0o755);
  const path = process.env["PATH"] ?? "";
  const changes = await changesWith(path, setUp);
  expect(changes.record.isComplete).toBe(true);
  expect(changes.record.modes).toContainEqual({ path: "a", before: 0o600, after: 0o640 });
  expect(changes.diff).toContain("+m");
  expect(await changesWith(`${tools}${delimiter}${path}`, setUp)).toEqual(changes);
});
