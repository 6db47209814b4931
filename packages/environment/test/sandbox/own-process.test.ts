import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { bundleSandboxProgram } from "./bundle-sandbox-program.ts";
import { makeFolders, namesIn, openIn, UNREADY } from "./open-sandbox.ts";

const NOBODY_UID = 65534;
let program = { path: "", remove: (): void => {} };

beforeAll(async () => {
  program = await bundleSandboxProgram();
});
afterAll(() => program.remove());

/** Returns whether a process is alive whose command line contains a text. */
const isRunning = (text: string): boolean =>
  readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });

test("commands end when this process is killed, and the next sandbox cleans up the workspace", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "a.txt": "a" });
  const mark = `4${process.pid}.5`;
  const child = spawn(
    process.execPath,
    [program.path, folders.root, folders.home, `hang setsid sleep ${mark} & echo up; sleep ${mark}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(isRunning(mark)).toBe(true);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
  for (let tries = 0; isRunning(`sleep\0${mark}`) && tries < 100; tries += 1) await delay(20);
  expect(isRunning(`sleep\0${mark}`)).toBe(false);
  expect(namesIn(folders.root)).toContain(".envrc");
  const { environment } = await openIn(folders);
  expect(await environment.shell("cat a.txt")).toMatchObject({ stdout: "a" });
  expect(namesIn(folders.root)).toEqual(["a.txt"]);
});

/**
 * Creates folders of an ordinary user. They are below `/var/tmp`, because user `nobody` may not be able to enter the
 * folder of the tests.
 */
function makeFoldersOfNobody() {
  const folder = mkdtempSync("/var/tmp/sandbox-nobody-");
  const [root, home] = [join(folder, "workspace"), join(folder, "home")];
  for (const path of [root, home, join(home, ".ssh")]) mkdirSync(path);
  writeFileSync(join(home, ".ssh/id_test"), "SECRET KEY");
  writeFileSync(join(home, "notes.txt"), "notes");
  for (const path of [folder, root, home, join(home, ".ssh"), join(home, ".ssh/id_test"), join(home, "notes.txt")])
    chownSync(path, NOBODY_UID, NOBODY_UID);
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, root, home };
}

function runAsNobody(root: string, home: string, commands: readonly string[]): Record<string, unknown>[] {
  const { path } = program;
  const args = ["--reuid", String(NOBODY_UID), "--regid", String(NOBODY_UID), "--clear-groups", process.execPath, path];
  const output = execFileSync("setpriv", [...args, root, home, ...commands], { encoding: "utf8", cwd: "/" });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("commands of an ordinary user are confined too", ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  skip(process.getuid?.() !== 0, "only root can change to another user");
  skip(!existsSync("/usr/bin/setpriv"), "setpriv is not installed");
  const { root, home } = makeFoldersOfNobody();
  const results = runAsNobody(root, home, [
    "echo mine > a.txt && cat a.txt && id -u",
    "git init -q . || echo refused",
    "echo evil > .envrc || echo refused",
    "echo evil > ~/.bashrc || echo refused",
    "cat ~/.ssh/id_test || echo hidden",
    "exec 3<>/dev/tcp/127.0.0.1/1 || echo unreachable",
    "echo x > /proc/sys/kernel/core_pattern || echo refused",
    "kill -9 -1; ls /proc | grep -c '^[0-9]'",
    "setsid sleep 7654.25 & echo up",
    "unshare --user --map-root-user --mount sh -c 'umount -l ~/.ssh; mount -o remount,rw,bind /; echo evil > ~/x; cat ~/.ssh/*' 2>/dev/null; ls ~",
  ]);
  expect(results.map(({ stdout }) => stdout)).toEqual([
    `mine\n${NOBODY_UID}\n`,
    expect.stringContaining("refused"),
    "refused\n",
    "refused\n",
    "hidden\n",
    expect.stringMatching(/^(unreachable\n)?$/),
    "refused\n",
    expect.any(String),
    "up\n",
    expect.stringMatching(/^(notes\.txt\n)?$/),
  ]);
  expect(isRunning("sleep\0" + "7654.25")).toBe(false);
  expect(namesIn(root)).toEqual(["a.txt"]);
  expect(namesIn(home)).toEqual([".ssh", "notes.txt"]);
});
