import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputChunk } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

const node = (script: string) => [process.execPath, "-e", script];

test("a result has both streams apart, the exit code, whether the time ran out, and the duration [loop-4.1-3] [loop-4.2-5]", async () => {
  const { environment } = await openWorkspace();
  const result = await environment.shell("echo out; echo err >&2; exit 3");
  expect(result).toEqual({
    stdout: "out\n",
    stderr: "err\n",
    exitCode: 3,
    timedOut: false,
    aborted: false,
    durationMs: expect.any(Number),
    droppedBytes: 0,
  });
});

test("the duration is the time that passed [loop-4.2-6]", async () => {
  const { environment } = await openWorkspace();
  const started = performance.now();
  const { durationMs } = await environment.shell("sleep 0.2");
  expect(durationMs).toBeGreaterThanOrEqual(195);
  expect(durationMs).toBeLessThanOrEqual(performance.now() - started);
});

test("a command has its own timeout, working directory and variables [loop-4.1-4]", async () => {
  const { environment, root } = await openWorkspace({ "sub/a.txt": "" });
  const result = await environment.shell('pwd; echo "$PWD $EXTRA"', {
    cwd: "sub",
    env: { set: { EXTRA: "x y" } },
    timeoutMs: 10_000,
  });
  expect(result.stdout).toBe(`${root}/sub\n${root}/sub x y\n`);
  await expect(environment.exec(["true"], { cwd: "no" })).rejects.toMatchObject({
    code: "environment.file_not_found",
    details: { path: "no" },
  });
  await expect(environment.exec(["true"], { cwd: "sub/a.txt" })).rejects.toMatchObject({
    code: "environment.not_a_directory",
  });
});

test("a command line runs in bash, an argv without any shell [loop-4.2-3]", async ({ skip }) => {
  skip(process.platform === "win32", "Windows uses cmd.exe instead");
  const { environment } = await openWorkspace();
  expect((await environment.shell('[ -n "$BASH_VERSION" ] && echo bash $((1+1)) | cat')).stdout).toBe("bash 2\n");
  expect((await environment.exec(["echo", "$HOME", "a b", "*", "; rm x"])).stdout).toBe("$HOME a b * ; rm x\n");
});

test("a program is never found in the workspace through a relative folder on the PATH, but a command line may name one", async ({
  skip,
}) => {
  skip(process.platform === "win32", "Windows searches the working folder before the PATH");
  const fake = "#!/bin/sh\necho of the workspace\n";
  const { root } = await openWorkspace({ uname: fake, "bin/uname": fake, "bin/only-here": fake });
  for (const file of ["uname", "bin/uname", "bin/only-here"]) chmodSync(join(root, file), 0o755);
  for (const path of [
    `.:${process.env["PATH"]}`,
    `:${process.env["PATH"]}`,
    `./bin:${process.env["PATH"]}`,
    "bin",
    "",
  ]) {
    await using environment = await openLocalEnvironment({ root, env: { PATH: path } });
    const { stdout } = await environment.exec(["uname"]);
    expect(stdout).not.toContain("of the workspace");
    expect(stdout).not.toBe("");
    // Programs that a command starts by name are found in the same way.
    expect((await environment.exec(["/bin/sh", "-c", "uname"])).stdout).toBe(stdout);
    await expect(environment.exec(["only-here"])).rejects.toMatchObject({ code: "environment.command_not_found" });
    if (path.startsWith("./bin")) expect((await environment.shell("only-here")).stdout).toBe("of the workspace\n");
    expect((await environment.exec(["./bin/only-here"])).stdout).toBe("of the workspace\n");
  }
});

test("a command that does not exist is an error of exec and exit code 127 of a shell", async () => {
  const { environment } = await openWorkspace({ "not-executable": "x" });
  await expect(environment.exec(["no-such-program"])).rejects.toMatchObject({
    code: "environment.command_not_found",
    details: { command: "no-such-program" },
  });
  await expect(environment.exec(["./not-executable"])).rejects.toMatchObject({ code: "environment.spawn_failed" });
  await expect(environment.exec([])).rejects.toMatchObject({ code: "environment.spawn_failed" });
  await expect(environment.exec(["echo", "a\0b"])).rejects.toMatchObject({ code: "environment.spawn_failed" });
  expect(await environment.shell("no-such-program")).toMatchObject({ exitCode: 127 });
});

test("a command that a signal ended has 128 + n and the signal's name", async () => {
  const { environment } = await openWorkspace();
  expect(await environment.shell("kill -SEGV $$")).toMatchObject({ exitCode: 139, signal: "SIGSEGV", timedOut: false });
});

test("standard input is the given text, or empty", async () => {
  const { environment } = await openWorkspace();
  const large = "x".repeat(1_000_000);
  expect((await environment.exec(["cat"], { stdin: "text" })).stdout).toBe("text");
  expect((await environment.exec(["wc", "-c"], { stdin: Buffer.from(large) })).stdout.trim()).toBe("1000000");
  expect((await environment.exec(["cat"])).stdout).toBe("");
  // The program does not read its input. That must cause neither an error nor a wait.
  expect(await environment.exec(["true"], { stdin: large })).toMatchObject({ exitCode: 0 });
});

test("commands see the filtered variables and nothing else of the host [loop-3.3-19] [loop-4.2-7]", async () => {
  const env = { PATH: process.env["PATH"], HOME: "/home/me", PLAIN: "p", MY_API_KEY: "k", PGPASSWORD: "p" };
  const { environment } = await openWorkspace({}, { env, environmentVariables: { deny: ["PLAIN"] } });
  const { stdout } = await environment.exec(["env"]);
  const names = stdout.split("\n").map((line) => line.split("=")[0]);
  expect(names.sort()).toEqual(["", "HOME", "PATH", "SHLVL", "SWITCHYARD_PROCESS_MARK"]);
  const allowed = await environment.exec(["printenv", "MY_API_KEY"], { env: { allow: ["MY_API_KEY"] } });
  expect(allowed.stdout).toBe("k\n");
});

test("without a PATH, programs are found in the system's folders and never in the workspace", async () => {
  const { environment } = await openWorkspace({}, { env: {} });
  await environment.writeFile("planted", "#!/bin/sh\necho planted\n");
  await environment.exec(["chmod", "+x", "planted"]);
  expect(await environment.shell("./planted")).toMatchObject({ stdout: "planted\n", exitCode: 0 });
  for (const policy of ["all", "core", "none"] as const) {
    expect(await environment.shell("planted", { env: { policy } })).toMatchObject({ stdout: "", exitCode: 127 });
    expect(await environment.shell("cat /dev/null", { env: { policy } })).toMatchObject({ exitCode: 0 });
  }
});

test.each([
  ["without input", {}],
  ["with input through a pipe", { stdin: "input" }],
  ["from a host that is no shell", { env: { set: { SHLVL: "0" } }, stdin: "" }],
  ["as over SSH", { env: { set: { SSH_CLIENT: "127.0.0.1 1 22" } }, stdin: "" }],
])("no start-up file of the user runs before a command %s", async (_, options) => {
  const { environment, root } = await openWorkspace();
  const home = join(root, "home");
  mkdirSync(home);
  for (const name of [".bashrc", ".bash_profile", ".profile"]) writeFileSync(join(home, name), "echo MARKER; MARK=1\n");
  await using planted = await openLocalEnvironment({
    root,
    env: { PATH: process.env["PATH"], HOME: home, BASH_ENV: join(home, ".bashrc") },
  });
  for (const run of [
    () => planted.shell('echo "<$MARK>"', options),
    () => planted.exec(["bash", "-c", 'echo "<$MARK>"'], options),
  ]) {
    expect((await run()).stdout).toBe("<>\n");
  }
  // Checks that the file would print the marker if it were read.
  expect((await environment.shell(`. ${join(home, ".bashrc")}`)).stdout).toBe("MARKER\n");
});

test("output is emitted while it arrives, with whole characters for any chunks", async () => {
  const { environment } = await openWorkspace();
  const chunks: OutputChunk[] = [];
  const script = `const b = Buffer.from("é😀ß\\n".repeat(200)); let i = 0;
    const next = () => { if (i < b.length) process.stdout.write(b.subarray(i, i += 7), () => setImmediate(next)); };
    console.error("e"); next();`;
  const result = await environment.exec(node(script), { onOutput: (chunk) => chunks.push(chunk) });
  expect(result.stdout).toBe("é😀ß\n".repeat(200));
  const received = (stream: string) =>
    chunks
      .filter((chunk) => chunk.stream === stream)
      .map((chunk) => chunk.text)
      .join("");
  expect(received("stdout")).toBe(result.stdout);
  expect(received("stderr")).toBe("e\n");
  expect(chunks.some(({ text }) => text.includes("\ufffd"))).toBe(false);
});

test("output arrives before the command ends", async () => {
  const { environment } = await openWorkspace();
  const stop = new AbortController();
  const result = await environment.shell("echo ready; sleep 60", {
    signal: stop.signal,
    onOutput: ({ text }) => text.includes("ready") && stop.abort(),
  });
  expect(result).toMatchObject({ stdout: "ready\n", aborted: true, timedOut: false });
});

test("a listener that throws ends the command and is reported", async () => {
  const { environment } = await openWorkspace();
  const failing = environment.shell("echo x; sleep 60", {
    onOutput: () => {
      throw new Error("listener broke");
    },
  });
  await expect(failing).rejects.toThrow("listener broke");
});

test("the head and tail of a flood of output are kept in bounded memory", async () => {
  const { environment } = await openWorkspace();
  const before = process.memoryUsage().rss;
  const result = await environment.shell("echo HEAD; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo TAIL", {
    maxOutputChars: 10_000,
  });
  expect(result.stdout.length).toBeLessThanOrEqual(10_000);
  expect(result.stdout.startsWith("HEAD\nxxx")).toBe(true);
  expect(result.stdout.endsWith("xxx\nTAIL\n")).toBe(true);
  expect(result.droppedBytes).toBeGreaterThan(199_980_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});

test("fifty commands at once each get their own output", async () => {
  const { environment } = await openWorkspace();
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => environment.shell(`echo ${index}`)));
  expect(results.map(({ stdout }) => stdout.trim())).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`));
});

test("no output of a short command is lost, two hundred times over", async () => {
  const { environment } = await openWorkspace();
  const results = await Promise.all(Array.from({ length: 200 }, () => environment.exec(["echo", "x"])));
  expect(results.filter(({ stdout }) => stdout !== "x\n")).toEqual([]);
});

test("a string instead of a list is refused, because its first character would be run", async () => {
  const { environment } = await openWorkspace();
  const line: string[] = JSON.parse('"ls -la"');
  await expect(environment.exec(line)).rejects.toThrow("shell takes a line");
});

test("unread output of a command is on no disk afterwards, and the command may reopen its output", async ({ skip }) => {
  skip(process.platform !== "linux", "on this system, the output of a command is a pipe");
  const { environment } = await openWorkspace();
  const result = await environment.shell("echo one; echo two >>/dev/stdout; echo three >>/dev/stderr");
  expect(result).toMatchObject({ stdout: "one\ntwo\n", stderr: "three\n", droppedBytes: 0 });
});

test("hundreds of megabytes without a listener are counted to the byte, and only head and tail are kept", async ({
  skip,
}) => {
  skip(process.platform !== "linux", "on this system, the output of a command is a pipe");
  const { environment } = await openWorkspace();
  const size = 200_000_000;
  const script = `echo begin; head -c ${size} /dev/zero | tr '\\0' x; echo; echo end`;
  const listened = await environment.shell(script, { maxOutputChars: 1000, onOutput: () => {} });
  const spooled = await environment.shell(script, { maxOutputChars: 1000 });
  expect(spooled.stdout === listened.stdout).toBe(true);
  expect(spooled.droppedBytes).toBe(listened.droppedBytes);
  expect(spooled.stdout).toMatch(/^begin\nx+\n\[\.\.\. \d+ bytes dropped \.\.\.\]\nx+\nend\n$/);
});

test("a workspace that is moved away between two commands is looked for again", async ({ skip }) => {
  skip(process.platform !== "linux", "on this system, the folder is not kept open");
  const { environment, root } = await openWorkspace({ "old.txt": "" });
  expect((await environment.shell("ls")).stdout).toBe("old.txt\n");
  renameSync(root, `${root}-moved`);
  await expect(environment.shell("ls")).rejects.toMatchObject({ code: "environment.file_not_found" });
  mkdirSync(root);
  writeFileSync(join(root, "new.txt"), "");
  expect((await environment.shell("ls")).stdout).toBe("new.txt\n");
});
