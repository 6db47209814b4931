import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { processesWith } from "../environments/living-processes.ts";
import { holdsWithin, openMachine } from "./open-machine.ts";

/** Maximum wait, in milliseconds. It is long enough for a machine whose processors are all busy. */
const WAIT_MS = 60_000;

/** Returns a unique number of seconds to sleep, which identifies the processes of a test. */
function uniqueSeconds(): string {
  return String(randomInt(100_000_000, 999_999_999));
}

/** Returns the ids of the ssh clients that keep connections of this process open. */
function holders(configFile: string): number[] {
  return processesWith(configFile)
    .filter(({ command, parent }) => parent === process.pid && command.includes("ControlMaster=yes"))
    .map(({ pid }) => pid);
}

test("when the connection drops, commands fail and no remote process remains", async ({ skip }) => {
  const { sshd, open } = await openMachine(skip);
  const environment = await open();
  const seconds = uniqueSeconds();
  const running = environment.shell(`setsid sleep ${seconds} & sleep ${seconds}`);
  const failed = expect(running).rejects.toMatchObject({
    code: "environment.unavailable",
    details: { problem: expect.stringContaining("dropped") },
  });
  expect(await holdsWithin(() => processesWith(`sleep ${seconds}`).length >= 2, WAIT_MS)).toBe(true);
  for (const pid of holders(sshd.configFile)) process.kill(pid, "SIGKILL");
  await failed;
  expect(await holdsWithin(() => processesWith(seconds).length === 0, WAIT_MS)).toBe(true);
});

test("calls after a lost connection open a new one", async ({ skip }) => {
  const { sshd, open } = await openMachine(skip);
  const environment = await open();
  await environment.writeFile("a.txt", "kept");
  for (const pid of holders(sshd.configFile)) process.kill(pid, "SIGKILL");
  const canReadAgain = async () => (await environment.readFile("a.txt").catch(() => "")) === "kept";
  let reconnected = false;
  for (let attempt = 0; attempt < 50 && !reconnected; attempt += 1) reconnected = await canReadAgain();
  expect(reconnected).toBe(true);
  expect((await environment.exec(["echo", "again"])).stdout).toBe("again\n");
});

test("killing one command's client ends only that command", async ({ skip }) => {
  const { open } = await openMachine(skip);
  const environment = await open();
  const [first, second] = [uniqueSeconds(), uniqueSeconds()];
  const clients = () => processesWith("ControlMaster=no").filter(({ parent }) => parent === process.pid);
  const other = environment.shell(`sleep ${second}`, { timeoutMs: 20_000 });
  expect(await holdsWithin(() => processesWith(`sleep ${second}`).length > 0, WAIT_MS)).toBe(true);
  const before = new Set(clients().map(({ pid }) => pid));
  const failed = expect(environment.shell(`sleep ${first}`)).rejects.toMatchObject({ code: "environment.unavailable" });
  expect(await holdsWithin(() => processesWith(`sleep ${first}`).length > 0, WAIT_MS)).toBe(true);
  for (const { pid } of clients()) if (!before.has(pid)) process.kill(pid, "SIGKILL");
  await failed;
  expect(await holdsWithin(() => processesWith(first).length === 0, WAIT_MS)).toBe(true);
  expect(processesWith(`sleep ${second}`).length).toBeGreaterThan(0);
  await environment[Symbol.asyncDispose]();
  await other.catch(() => {});
  expect(processesWith(second)).toEqual([]);
});

test("disposal ends daemons in other sessions, the connection, and the folder of its socket", async ({ skip }) => {
  const { sshd, open } = await openMachine(skip);
  const environment = await open();
  const seconds = uniqueSeconds();
  const { exitCode } = await environment.shell(`setsid sh -c 'sleep ${seconds} & sleep ${seconds}' >/dev/null 2>&1 &`);
  expect(exitCode).toBe(0);
  expect(await holdsWithin(() => processesWith(`sleep ${seconds}`).length > 0, WAIT_MS)).toBe(true);
  const commands = processesWith(sshd.configFile).map(({ command }) => command);
  const folder = /\/[^\s=]*\/sy-[A-Za-z0-9]{6}/.exec(commands.join(" "))?.[0] ?? "";
  expect(existsSync(folder)).toBe(true);
  await environment[Symbol.asyncDispose]();
  expect(processesWith(seconds)).toEqual([]);
  expect(processesWith(sshd.configFile).filter(({ command }) => command.startsWith("ssh "))).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

test("variables set for a command appear in no process's arguments, locally or remotely", async ({ skip }) => {
  const { open } = await openMachine(skip);
  const environment = await open();
  const secret = `secret-${uniqueSeconds()}`;
  const running = environment.shell("echo $TOKEN; sleep 1; env | grep -c TOKEN", { env: { set: { TOKEN: secret } } });
  let seen = 0;
  const looking = setInterval(() => {
    seen += processesWith(secret).length;
  }, 5);
  const { stdout } = await running;
  clearInterval(looking);
  expect(stdout).toBe(`${secret}\n1\n`);
  expect(seen).toBe(0);
});

test("the arguments of a spawned program arrive unchanged [adapter-arguments-5]", async ({ skip }) => {
  const { open } = await openMachine(skip);
  const environment = await open();
  const odd = [
    "",
    " ",
    "a b",
    "'",
    '"',
    "`id`",
    "$(id)",
    "$HOME",
    "\\",
    "!x",
    "*",
    "-n",
    "é😀",
    "a\nb",
    ";exit 3",
    "&",
  ];
  const print = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
  await using process = await environment.spawn([globalThis.process.execPath, "-e", print, "--", ...odd]);
  await process.stdin.close();
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdout) chunks.push(chunk);
  expect(JSON.parse(Buffer.concat(chunks).toString("utf8"))).toEqual(odd);
  expect((await process.exited).exitCode).toBe(0);
});

test("concurrent commands beyond the session limit of a connection all run", async ({ skip }) => {
  const { sshd, open } = await openMachine(skip);
  const environment = await open();
  const texts = Array.from({ length: 25 }, (_, index) => `${index}`);
  const results = await Promise.all(texts.map((text) => environment.exec(["echo", text])));
  expect(results.map(({ stdout }) => stdout.trim())).toEqual(texts);
  expect(holders(sshd.configFile).length).toBeGreaterThan(1);
});

test("a killed host leaves no remote process", async ({ skip }) => {
  const { options } = await openMachine(skip);
  const { runKilledSshHost } = await import("./run-killed-ssh-host.ts");
  const seconds = uniqueSeconds();
  await runKilledSshHost(options, seconds);
  expect(await holdsWithin(() => processesWith(seconds).length === 0, WAIT_MS)).toBe(true);
});

test("commands on another machine reach a server of the host at a forwarded port, until it or the environment is closed", async ({
  skip,
}) => {
  const { open } = await openMachine(skip);
  const environment = await open();
  const exposed = await environment.exposeSocket?.();
  const kept = await environment.exposeSocket?.();
  if (exposed === undefined || kept === undefined) throw new Error("the server allows forwarding");
  for (const { socketPath } of [exposed, kept]) {
    const server = createServer((request, response) => void request.pipe(response)).listen(socketPath);
    await once(server, "listening");
    onTestFinished(() => void server.close());
  }
  const post = (url: string) => environment.exec(["curl", "-s", "-d", "hello", url]);
  expect((await post(exposed.url)).stdout).toBe("hello");
  await exposed[Symbol.asyncDispose]();
  expect((await post(exposed.url)).exitCode).toBe(7);
  expect((await post(kept.url)).stdout).toBe("hello");
  await environment[Symbol.asyncDispose]();
  expect(existsSync(kept.socketPath)).toBe(false);
  await expect(fetch(kept.url)).rejects.toThrow("fetch failed");
});

test("a machine that refuses to forward ports exposes no socket", async ({ skip }) => {
  const { open } = await openMachine(skip, ["AllowTcpForwarding no"]);
  const environment = await open();
  expect(await environment.exposeSocket?.()).toBeUndefined();
  expect((await environment.exec(["echo", "still here"])).stdout).toBe("still here\n");
});
