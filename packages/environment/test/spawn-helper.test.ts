import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

const THROUGH_HELPER = { spawnHelper: "always" } as const;
/** Prints the command line of the process that started the command. */
const STARTED_BY = "tr '\\0' ' ' </proc/$PPID/cmdline";

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function waitForExit(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
}

const isLinux = process.platform === "linux";

test("commands are started by a helper, each in its own group, and the helper does not see their variables", async ({
  skip,
}) => {
  skip(!isLinux, "needs /proc");
  const { environment } = await openWorkspace({}, THROUGH_HELPER);
  const options = { env: { set: { GREETING: "swordfish" } } };
  const script = `echo $GREETING; ps -o pgid= -p $$; echo $$; ${STARTED_BY}; cat /proc/$PPID/environ`;
  const { stdout, exitCode } = await environment.shell(script, options);
  const [greeting = "", group = "", pid, ...rest] = stdout.split("\n");
  expect({ greeting, exitCode, group: group.trim() }).toEqual({ greeting: "swordfish", exitCode: 0, group: pid });
  expect(rest.join("\n")).not.toContain("swordfish");
  expect(rest.join("\n")).toContain("switchyard-spawn");
});

test("an environment that is opened soon after another one was closed uses the same helper", async ({ skip }) => {
  skip(!isLinux, "needs /proc");
  const helpers: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const { environment } = await openWorkspace({}, THROUGH_HELPER);
    helpers.push((await environment.shell("echo $PPID")).stdout);
    await environment[Symbol.asyncDispose]();
  }
  expect(Number(helpers[0])).toBeGreaterThan(1);
  expect(helpers[1]).toBe(helpers[0]);
});

test("a command whose helper is killed ends with SIGKILL, no process of it remains, and the next one runs", async ({
  skip,
}) => {
  skip(!isLinux, "needs /proc");
  const { environment } = await openWorkspace({}, THROUGH_HELPER);
  const spawned = await environment.spawn(["sleep", "300"]);
  const pid = spawned.pid ?? 0;
  process.kill(parentOf(pid), "SIGKILL");
  expect(await spawned.exited).toEqual({ exitCode: 137, signal: "SIGKILL" });
  await spawned[Symbol.asyncDispose]();
  expect(isAlive(pid)).toBe(false);
  expect(await environment.shell("echo next")).toMatchObject({ stdout: "next\n", exitCode: 0 });
});

test("input and output of megabytes pass a helper byte for byte", async () => {
  const { environment } = await openWorkspace({}, THROUGH_HELPER);
  const input = Buffer.alloc(5_000_003, "0123456789abcdef\n");
  const { stdout } = await environment.exec(["cat"], { stdin: input, maxOutputChars: input.length });
  expect(stdout === input.toString()).toBe(true);
});

test("a reader that stops delays its command, and no other", async ({ skip }) => {
  skip(!isLinux, "needs /proc");
  const { environment } = await openWorkspace({}, THROUGH_HELPER);
  await using flood = await environment.spawn(["cat", "/dev/zero"]);
  const written = () => Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${flood.pid}/io`, "utf8"))?.[1]);
  let before = -1;
  await expect
    .poll(
      () => {
        const [last, now] = [before, written()];
        before = now;
        return now > 0 && now === last;
      },
      { interval: 100 },
    )
    .toBe(true);
  expect(before).toBeLessThan(16 * 2 ** 20);
  expect(await environment.shell("echo quick")).toMatchObject({ stdout: "quick\n" });
});

/** Starts a host in a separate process, whose code is bundled into one minified file. */
async function startBundledHost(): Promise<{ host: ReturnType<typeof spawn>; firstLine: Promise<string> }> {
  const folder = mkdtempSync(join(tmpdir(), "bundled-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entry = join(folder, "host.mjs");
  const local = resolve(import.meta.dirname, "../src/local/index.ts");
  const script = `echo $$ $(${STARTED_BY}); sleep 300`;
  writeFileSync(
    entry,
    `import { openLocalEnvironment } from ${JSON.stringify(local)};
    const environment = await openLocalEnvironment({ root: ".", env: process.env, spawnHelper: "always" });
    await environment.shell(${JSON.stringify(script)}, { onOutput: ({ text }) => process.stdout.write(text) });`,
  );
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    external: ["@vscode/ripgrep"],
    transform: { target: "node20.19" },
    resolve: { conditionNames: ["@switchyard/source", "node", "import", "default"] },
  });
  const file = join(folder, "bundle.mjs");
  await bundle.write({ file, format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  const host = spawn(process.execPath, [file], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void host.kill("SIGKILL"));
  const firstLine = new Promise<string>((done) => {
    let text = "";
    host.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) done(text);
    });
  });
  return { host, firstLine };
}

test("a helper is found from a bundle, and ends the commands of a host that is killed", async ({ skip }) => {
  skip(!isLinux, "needs /proc");
  const { host, firstLine } = await startBundledHost();
  const line = await firstLine;
  const pid = Number.parseInt(line, 10);
  expect(line).toContain("switchyard-spawn");
  const helper = parentOf(pid);
  host.kill("SIGKILL");
  await waitForExit(pid);
  await waitForExit(helper);
});
