import { openEnvironment } from "@switchyard/environment";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";

test("files can be put in and taken out, after disposal too [loop-4.3-3]", async () => {
  const first = createMemoryEnvironment({ files: { "a.txt": "a", "src/b.bin": new Uint8Array([0, 255]) } });
  await first.shell("echo c > src/c.txt; rm a.txt; ln -s c.txt src/link");
  await first[Symbol.asyncDispose]();
  const second = createMemoryEnvironment({ files: first.files() });
  expect([...second.files()]).toEqual([
    ["src/b.bin", new Uint8Array([0, 255])],
    ["src/c.txt", new TextEncoder().encode("c\n")],
  ]);
});

test("returned values and given values do not change with the files", async () => {
  const original = new TextEncoder().encode("given");
  await using environment = createMemoryEnvironment({ files: { "a.txt": original } });
  const stored = environment.files().get("a.txt");
  const read = await environment.readBytes("a.txt");
  original.fill(0);
  await environment.shell("echo more >> a.txt");
  stored?.fill(1);
  expect(new TextDecoder().decode(read)).toBe("given");
  expect(await environment.readFile("a.txt")).toBe("givenmore\n");
});

test("an environment is opened by its configuration", async () => {
  await using environment = await openEnvironment({
    type: "memory",
    workingDirectory: "/place",
    files: { "a.txt": "x" },
  });
  expect([environment.name, environment.workingDirectory, environment.platform]).toEqual(["memory", "/place", "wasm"]);
  expect((await environment.shell("pwd; ls")).stdout).toBe("/place\na.txt\n");
  expect(() => createMemoryEnvironment({ workingDirectory: "place" })).toThrow(
    expect.objectContaining({ code: "config.invalid" }),
  );
});

test("every argument arrives as it is [loop-4.3-3]", async () => {
  await using environment = createMemoryEnvironment();
  const argument = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({
      unit: fc.constantFrom("'", '"', "\\", "$", "`", "(", ")", "\n", ";", "*", "!", "&", " ", "-", "{", "~"),
    }),
  );
  const isUsable = (text: string): boolean => !text.includes("\0") && !/\p{Surrogate}/u.test(text);
  await fc.assert(
    fc.asyncProperty(fc.array(argument.filter(isUsable), { minLength: 1, maxLength: 4 }), async (args) => {
      const { stdout } = await environment.exec(["printf", "%s\\n", ...args]);
      expect(stdout).toBe(`${args.join("\n")}\n`);
    }),
    { numRuns: 60 },
  );
  expect([...environment.files().keys()]).toEqual([]);
});

test("commands see nothing of the host: no variables, no files, no network", async () => {
  await using environment = createMemoryEnvironment();
  expect((await environment.shell("env")).stdout).not.toContain(process.env["PATH"]);
  expect((await environment.exec(["ls", import.meta.dirname])).exitCode).not.toBe(0);
  await expect(environment.exec(["curl", "http://127.0.0.1"])).rejects.toMatchObject({
    code: "environment.command_not_found",
  });
  expect((await environment.shell("cat </dev/tcp/127.0.0.1/80 || echo refused")).stdout).toContain("refused");
});

test("output is emitted while the command runs, and the output until its end is kept", async () => {
  await using environment = createMemoryEnvironment();
  const chunks: [string, number][] = [];
  const started = performance.now();
  const result = await environment.shell(
    "echo first; for i in 1 2; do sleep 0.2; echo $i; done; sleep 60; echo never",
    {
      timeoutMs: 1000,
      onOutput: ({ text }) => chunks.push([text, performance.now() - started]),
    },
  );
  expect(result).toMatchObject({ stdout: "first\n1\n2\n", exitCode: 143, signal: "SIGTERM", timedOut: true });
  expect(chunks.map(([text]) => text)).toEqual(["first\n", "1\n", "2\n"]);
  expect(chunks[0]?.[1]).toBeLessThan((chunks[2]?.[1] ?? 0) - 300);
});

test.each([
  "while true; do :; done",
  "f() { f; }; while true; do f; done",
  "while true; do echo x; done >/dev/null",
  "sleep 1000",
])("%s ends at its time limit, and the event loop continues [loop-4.2-6]", async (line) => {
  await using environment = createMemoryEnvironment();
  await environment.shell(":");
  const result = await environment.shell(line, { timeoutMs: 300 });
  if (result.exitCode === 143) expect(result.timedOut).toBe(true);
  expect(result.durationMs).toBeLessThan(30_000);
  expect((await environment.shell("echo on")).stdout).toBe("on\n");
});

test("a timer that fires a little early by the clock ends a command all the same [loop-4.2-6]", async () => {
  await using environment = createMemoryEnvironment();
  await environment.shell(":");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  // The clock does not advance, so all timers of the test fire too early.
  const running = environment.shell("sleep 1000", { timeoutMs: 100_000 });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(await running).toMatchObject({ timedOut: true, aborted: false, exitCode: 143 });
});

test("a signal ends a loop without waits", async () => {
  await using environment = createMemoryEnvironment();
  const result = await environment.shell("while true; do :; done", { signal: AbortSignal.timeout(200) });
  expect(result).toMatchObject({ aborted: true, timedOut: false, exitCode: 143 });
  expect(result.durationMs).toBeLessThan(30_000);
});

test.each([
  ["set -e; false && true; echo a; ! true; if false; then :; fi; (exit 3); echo b", "a\n", 3],
  ["set -euo pipefail; echo $nothing; echo b", "", 1],
  ["exec >log; echo hidden; cat log >&2", "", 0],
  ["true | false; echo $" + "{PIPESTATUS[0]} $" + "{PIPESTATUS[1]}", "0 1\n", 0],
  ["f() { echo in; return 4; }; x=$(f); echo $x $?; f | cat; f", "in 4\nin\nin\n", 4],
  ["case a in a) echo one;; esac; until true; do :; done; for ((i=0;i<2;i++)); do echo $i; done", "one\n0\n1\n", 0],
  ["{ echo a; echo b; } | tail -1; (cd /tmp; pwd); pwd", "b\n/tmp\n/workspace\n", 0],
  ["while read l; do echo [$l]; done <<E\nx\ny\nE\necho $l end", "[x]\n[y]\nend\n", 0],
  ["echo a > f; { echo b; echo c; } >> f; cat f", "a\nb\nc\n", 0],
  ["exit 7", "", 7],
])("routing its output changes nothing of what %j does", async (line, stdout, exitCode) => {
  await using environment = createMemoryEnvironment();
  expect(await environment.shell(line)).toMatchObject({ stdout, exitCode });
});

test("a syntax error is reported with the caller's line", async () => {
  await using environment = createMemoryEnvironment();
  const { stderr, exitCode } = await environment.shell("echo ok\nif then");
  expect([stderr, exitCode]).toEqual([expect.stringContaining(" 2:"), 2]);
});

test("a spawned command begins when its input is closed, and a slow reader delays it", async () => {
  await using environment = createMemoryEnvironment();
  await using spawned = await environment.spawn(["sh", "-c", "cat; seq 1 50000; echo problem >&2"]);
  const writer = spawned.stdin.getWriter();
  await writer.write(new TextEncoder().encode("in\n"));
  await writer.close();
  const [stdout, stderr] = await Promise.all([
    new Response(spawned.stdout).text(),
    new Response(spawned.stderr).text(),
  ]);
  expect([stdout.slice(0, 5), stdout.slice(-6), stderr]).toEqual(["in\n1\n", "50000\n", "problem\n"]);
  expect(await spawned.exited).toEqual({ exitCode: 0 });
});

test("a spawned command is ended before it began, while it runs, and by disposal", async () => {
  const environment = createMemoryEnvironment();
  const waiting = await environment.spawn(["cat"]);
  waiting.kill();
  expect(await waiting.exited).toEqual({ exitCode: 143, signal: "SIGTERM" });
  const running = await environment.spawn(["sleep", "1000"]);
  await running.stdin.close();
  running.kill("SIGKILL");
  expect(await running.exited).toEqual({ exitCode: 137, signal: "SIGKILL" });
  const [active, idle] = [await environment.spawn(["sleep", "1000"]), await environment.spawn(["cat"])];
  await active.stdin.close();
  await environment[Symbol.asyncDispose]();
  expect((await active.exited).signal).toBe("SIGKILL");
  expect((await idle.exited).signal).toBe("SIGKILL");
});

test("writes beyond the storage limit fail as on a full disk, and the old content stays", async () => {
  await using environment = createMemoryEnvironment({ maxBytes: 200_000, files: { "a.txt": "kept" } });
  await expect(environment.writeFile("a.txt", "x".repeat(200_000))).rejects.toMatchObject({
    code: "environment.disk_full",
  });
  expect(await environment.readFile("a.txt")).toBe("kept");
  expect((await environment.shell("seq 1 100000 > big.txt")).exitCode).not.toBe(0);
  await environment.writeFile("b.txt", "x".repeat(50_000));
  for (let round = 0; round < 20; round += 1) {
    await environment.writeFile("c.txt", "x".repeat(50_000));
    await environment.remove("c.txt");
  }
  expect(await environment.exists("b.txt")).toBe(true);
});

test("a path may lead through 40 links, not 41", async () => {
  const environment = createMemoryEnvironment({ files: { "link-0": "found" } });
  const { exitCode } = await environment.shell("for i in $(seq 1 41); do ln -s link-$((i - 1)) link-$i; done");
  expect(exitCode).toBe(0);
  expect(await environment.readFile("link-40")).toContain("found");
  await expect(environment.readFile("link-41")).rejects.toThrow();
});
