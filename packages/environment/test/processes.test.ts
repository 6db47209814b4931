import { readFileSync } from "node:fs";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  // Zombies and dead processes do not count as living.
  return !/^State:\s+[ZX]/m.test(statusOf(pid));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State: X";
  }
}

const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Prints its id and those of a child in the group, then hangs. */
const HANG = "sleep 300 & echo $$ $!; wait";

test("each command is the leader of its own process group [loop-4.2-2]", async () => {
  const { environment } = await openWorkspace();
  const { stdout } = await environment.shell("echo $$; ps -o pgid= -p $$");
  const [pid, group] = pidsIn(stdout);
  expect(group).toBe(pid);
  expect(group).not.toBe(process.pid);
});

/** Time limit of a command that must have started before it is reached, also on a busy machine, in milliseconds. */
const STARTED_MS = 2_000;

test("when the time is up the whole group ends and the output so far is returned [loop-4.2-4] [loop-9.4-4]", async () => {
  const { environment } = await openWorkspace();
  const result = await environment.shell(HANG, { timeoutMs: STARTED_MS });
  expect(result).toMatchObject({ timedOut: true, aborted: false, exitCode: 143, signal: "SIGTERM" });
  const pids = pidsIn(result.stdout);
  expect(pids).toHaveLength(2);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(result.durationMs).toBeLessThan(30_000);
});

test("SIGKILL follows two seconds after SIGTERM when the command ignores it [loop-4.2-4]", async () => {
  const { environment } = await openWorkspace();
  const result = await environment.shell("trap 'echo asked' TERM; echo $$; while :; do sleep 0.05; done", {
    timeoutMs: STARTED_MS,
  });
  expect(result).toMatchObject({ timedOut: true, exitCode: 137, signal: "SIGKILL" });
  expect(result.stdout).toContain("asked");
  expect(result.durationMs).toBeGreaterThan(STARTED_MS + 2_000);
  expect(result.durationMs).toBeLessThan(30_000);
});

test("a command may use the grace period to end by itself", async () => {
  const { environment } = await openWorkspace();
  const script = "trap 'echo cleaned; exit 0' TERM; echo up; while :; do sleep 0.02; done";
  expect(await environment.shell(script, { timeoutMs: STARTED_MS })).toMatchObject({
    stdout: "up\ncleaned\n",
    timedOut: true,
    exitCode: 0,
  });
});

test("a signal that aborts ends the group; one that was already aborted prevents the start [loop-2.8-2]", async () => {
  const { environment } = await openWorkspace();
  const stop = new AbortController();
  const result = await environment.shell(HANG, { signal: stop.signal, onOutput: () => stop.abort() });
  expect(result).toMatchObject({ aborted: true, timedOut: false });
  expect(pidsIn(result.stdout).filter(isAlive)).toEqual([]);
  expect(await environment.shell("touch started", { signal: stop.signal })).toMatchObject({ aborted: true });
  expect(await environment.exists("started")).toBe(false);
});

test("a finished command is not delayed by a child that keeps its output open, and the child ends", async () => {
  const { environment } = await openWorkspace();
  const result = await environment.shell("sleep 300 & echo $!");
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  expect(result.durationMs).toBeLessThan(30_000);
  expect(pidsIn(result.stdout).filter(isAlive)).toEqual([]);
});

test("a child that redirected its output ends with its command as well", async () => {
  const { environment } = await openWorkspace();
  const { stdout } = await environment.shell("sleep 300 >/dev/null 2>&1 & echo $!");
  expect(pidsIn(stdout).filter(isAlive)).toEqual([]);
});

test("output that a pipeline writes right after the end of its command is not lost", async () => {
  const { environment } = await openWorkspace();
  const { stdout } = await environment.shell("echo first; (sleep 0.05; echo late) &");
  expect(stdout).toBe("first\nlate\n");
});

test.each([
  ["its own session", "setsid sleep 300 & echo $!; sleep 300"],
  ["a double fork", "(setsid sh -c 'sleep 300 & echo $!; sleep 300' &) ; sleep 300"],
])("a process that left the group by %s ends when the time is up", async (_, command) => {
  const { environment } = await openWorkspace();
  const result = await environment.shell(command, { timeoutMs: STARTED_MS });
  expect(result.timedOut).toBe(true);
  expect(pidsIn(result.stdout)).toHaveLength(1);
  expect(pidsIn(result.stdout).filter(isAlive)).toEqual([]);
});

test("SIGKILL follows for a process that left the group and ignores SIGTERM [loop-4.2-4]", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux finds processes by their environment variables");
  const { environment } = await openWorkspace({}, { killGraceMs: 100 });
  const stopped = new AbortController();
  const result = await environment.shell("setsid sh -c 'trap \"\" TERM; echo $$; exec sleep 300' & sleep 300", {
    signal: stopped.signal,
    onOutput: () => stopped.abort(),
  });
  const [escaped = 0] = pidsIn(result.stdout);
  expect(result.aborted).toBe(true);
  expect(escaped).toBeGreaterThan(0);
  expect(isAlive(escaped)).toBe(false);
});

test("a process that left its group survives its command, delays nothing, and ends with the environment", async () => {
  const { root } = await openWorkspace();
  const environment = await openLocalEnvironment({ root, env: { PATH: process.env["PATH"] } });
  const result = await environment.shell("setsid sleep 300 & echo $!");
  const [pid = 0] = pidsIn(result.stdout);
  expect(result.durationMs).toBeLessThan(30_000);
  expect(isAlive(pid)).toBe(true);
  await environment[Symbol.asyncDispose]();
  expect(isAlive(pid)).toBe(false);
});

test("disposal ends all running processes and waits for them; then nothing can be started [loop-4.1-6]", async () => {
  const { root } = await openWorkspace();
  const environment = await openLocalEnvironment({ root, env: { PATH: process.env["PATH"] }, killGraceMs: 200 });
  const seen: string[] = [];
  let bothUp: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    bothUp = resolve;
  });
  const onOutput = ({ text }: { text: string }): void => {
    if (seen.push(text) === 2) bothUp();
  };
  const running = [environment.shell(HANG, { onOutput }), environment.shell(`trap '' TERM; ${HANG}`, { onOutput })];
  const spawned = await environment.spawn(["sleep", "300"]);
  await ready;
  await Promise.all([environment[Symbol.asyncDispose](), environment[Symbol.asyncDispose]()]);
  expect([...pidsIn(seen.join(" ")), spawned.pid ?? 0].filter(isAlive)).toEqual([]);
  expect((await Promise.all(running)).map(({ exitCode }) => exitCode)).toEqual([143, 137]);
  for (const action of [
    () => environment.shell("true"),
    () => environment.readFile("a"),
    () => environment.spawn(["true"]),
  ]) {
    await expect(action()).rejects.toMatchObject({ code: "environment.closed" });
  }
});

test("the marks of an outer environment stay on the processes of an inner one", async () => {
  const { environment } = await openWorkspace(
    {},
    { env: { PATH: process.env["PATH"], SWITCHYARD_PROCESS_MARK: "outer.1." } },
  );
  const { stdout } = await environment.exec(["printenv", "SWITCHYARD_PROCESS_MARK"]);
  expect(stdout).toMatch(/^outer\.1\. \S+\n$/);
});

test("a spawned process is written to and read from while it runs", async () => {
  const { environment } = await openWorkspace();
  await using spawned = await environment.spawn(["cat"]);
  const writer = spawned.stdin.getWriter();
  const reader = spawned.stdout.getReader();
  for (const text of ["one", "two"]) {
    await writer.write(Buffer.from(text));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(text);
  }
  await writer.close();
  expect(await reader.read()).toMatchObject({ done: true });
  expect(await spawned.exited).toEqual({ exitCode: 0 });
});

test("a command line is spawned in the platform's shell, in a folder and with its whole group", async () => {
  const { environment } = await openWorkspace({ "sub/a.txt": "" });
  const spawned = await environment.spawnShell?.("printf '%s\\n' *; sleep 300 & echo $!; wait", { cwd: "sub" });
  if (spawned === undefined) throw new Error("no shell");
  const reader = spawned.stdout.getReader();
  let text = "";
  while (!/\n\d+\n$/.test(text)) text += Buffer.from((await reader.read()).value ?? []).toString();
  const pid = Number(/(\d+)\n$/.exec(text)?.[1]);
  expect(text).toBe(`a.txt\n${pid}\n`);
  await spawned[Symbol.asyncDispose]();
  expect(isAlive(pid)).toBe(false);
});

test("unread output of a spawned process is still available after its end", async () => {
  const { environment } = await openWorkspace();
  await using spawned = await environment.spawn(["sh", "-c", "head -c 30000 /dev/zero; echo end >&2"]);
  await spawned.exited;
  const sizes = await Promise.all(
    [spawned.stdout, spawned.stderr].map(async (stream) => {
      let size = 0;
      for await (const chunk of stream) size += chunk.length;
      return size;
    }),
  );
  expect(sizes).toEqual([30_000, 4]);
});

test("a spawned process that writes faster than its reader reads has to wait", async () => {
  const { environment } = await openWorkspace();
  const before = process.memoryUsage().rss;
  await using spawned = await environment.spawn(["cat", "/dev/zero"]);
  const reader = spawned.stdout.getReader();
  expect((await reader.read()).done).toBe(false);
  expect(await Promise.race([spawned.exited, environment.shell("sleep 0.3").then(() => "still running")])).toBe(
    "still running",
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
});

test("disposing of a spawned process, its signal and kill each end its group", async () => {
  const { environment } = await openWorkspace();
  const start = async (signal?: AbortSignal) => {
    const spawned = await environment.spawn(["sh", "-c", HANG], { signal });
    const { value } = await spawned.stdout.getReader().read();
    return { spawned, pids: pidsIn(Buffer.from(value ?? []).toString()) };
  };
  const disposed = await start();
  await disposed.spawned[Symbol.asyncDispose]();
  expect(disposed.pids.filter(isAlive)).toEqual([]);

  const stop = new AbortController();
  const aborted = await start(stop.signal);
  stop.abort();
  expect(await aborted.spawned.exited).toMatchObject({ signal: "SIGTERM" });

  const killed = await start();
  killed.spawned.kill("SIGKILL");
  expect(await killed.spawned.exited).toEqual({ exitCode: 137, signal: "SIGKILL" });
  await Promise.all([aborted, killed].map(({ spawned }) => spawned[Symbol.asyncDispose]()));
  expect([...aborted.pids, ...killed.pids].filter(isAlive)).toEqual([]);
});

test("only the processes with the environment's mark are ended [loop-4.2-4]", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux finds processes by their environment variables");
  const [first, other, next] = [await openWorkspace(), await openWorkspace(), await openWorkspace()];
  const command = 'setsid sleep 300 & echo "$!"; exec sleep 300';
  const [lost, connected] = [
    await first.environment.spawn(["bash", "-c", command]),
    await other.environment.spawn(["sleep", "300"]),
  ];
  const { value } = await lost.stdout[Symbol.asyncIterator]().next();
  const [escaped = 0] = pidsIn(Buffer.from(value ?? []).toString());
  expect(await next.environment.endMarked?.(first.environment.processMark ?? "")).toBe(2);
  await lost.exited;
  expect(isAlive(escaped)).toBe(false);
  expect(isAlive(connected.pid ?? 0)).toBe(true);
  for (const mark of ["", "PATH", ".", "sleep", "0".repeat(36)])
    expect(await next.environment.endMarked?.(mark)).toBe(0);
  expect(isAlive(connected.pid ?? 0)).toBe(true);
});

test("a program inside of an environment does not end itself by that environment's mark", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux finds processes by their environment variables");
  const outer = await openWorkspace();
  const { stdout } = await outer.environment.shell('echo "$SWITCHYARD_PROCESS_MARK"');
  const inner = await openWorkspace({}, { env: { ...process.env, SWITCHYARD_PROCESS_MARK: stdout.trim() } });
  const sleeper = await outer.environment.spawn(["sleep", "300"]);
  expect(await inner.environment.endMarked?.(outer.environment.processMark ?? "")).toBe(0);
  expect(isAlive(sleeper.pid ?? 0)).toBe(true);
});
