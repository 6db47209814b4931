import type { Fault } from "@switchyard/environment/wrappers";
import { withFaults } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";

const failure: Fault = { kind: "failure", code: "environment.io_failed" };

test("calls fail by operation, path, command and number [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "a", "src/b.ts": "b" });
  const faulty = withFaults(environment, {
    rules: [
      { operations: ["readFile"], path: "src/**", calls: [1, 3], fault: failure },
      { command: /^git push/g, fault: { kind: "failure", code: "environment.spawn_failed" } },
    ],
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => faulty.readFile("src/b.ts")));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(await faulty.readFile("a.txt")).toBe("a");
  await expect(faulty.shell("git push")).rejects.toMatchObject({ code: "environment.spawn_failed" });
  await expect(faulty.exec(["git", "push"])).rejects.toMatchObject({ details: { command: "git" } });
  expect((await faulty.shell("echo git push")).exitCode).toBe(0);
});

test("a lost response leaves the operation's effect [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace();
  const lost: Fault = { ...failure, kind: "failure", code: "environment.io_failed", when: "after" };
  const faulty = withFaults(environment, { rules: [{ operations: ["writeFile"], fault: lost }] });
  await expect(faulty.writeFile("a.txt", "x")).rejects.toMatchObject({
    code: "environment.io_failed",
    details: { path: "a.txt" },
  });
  expect(await environment.readFile("a.txt")).toBe("x");
});

test("the random faults depend only on the seed [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "a" });
  const run = async (seed: number): Promise<string> => {
    const faulty = withFaults(environment, { rules: [{ probability: 0.5, fault: failure }], seed, keepOpen: true });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => faulty.exists("a.txt")));
    return outcomes.map(({ status }) => (status === "fulfilled" ? "." : "x")).join("");
  };
  const first = await run(7);
  expect(await run(7)).toBe(first);
  expect(await run(8)).not.toBe(first);
  expect(first).toMatch(/^(?=.*x)(?=.*\.)/);
});

test("latency uses the given timer, and a signal ends it [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "a" });
  const slept: number[] = [];
  const rules = [
    {
      fault: [
        { kind: "latency", ms: 100, jitterMs: 50 },
        { kind: "latency", ms: 1_000 },
      ] as const,
    },
  ];
  const faulty = withFaults(environment, { rules, sleep: async (ms) => slept.push(ms) });
  await faulty.readFile("a.txt");
  expect(slept).toHaveLength(1);
  expect(slept[0]).toBeGreaterThan(1_099);
  expect(slept[0]).toBeLessThan(1_150);
  const late = withFaults(environment, { rules: [{ fault: { kind: "latency", ms: 3_600_000 } }] });
  expect(await late.exec(["true"], { signal: AbortSignal.timeout(20) })).toMatchObject({ aborted: true });
});

test("a hanging call ends on its signal, its timeout or disposal [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "a" });
  const hanging = () => withFaults(environment, { rules: [{ fault: { kind: "hang" } }], keepOpen: true });
  const faulty = hanging();
  const controller = new AbortController();
  const { signal } = controller;
  const command = faulty.shell("echo hi", { signal });
  const search = faulty.grep("a", { signal });
  controller.abort(new Error("enough"));
  expect(await command).toMatchObject({ aborted: true, timedOut: false, signal: "SIGTERM", stdout: "" });
  await expect(search).rejects.toThrow("enough");
  expect(await faulty.exec(["true"], { timeoutMs: 10 })).toMatchObject({ timedOut: true, aborted: false });
  const pending = [faulty.readFile("a.txt"), faulty.spawn(["true"])];
  const open = faulty.exec(["true"]);
  await faulty[Symbol.asyncDispose]();
  for (const call of pending) await expect(call).rejects.toMatchObject({ code: "environment.closed" });
  expect(await open).toMatchObject({ aborted: false, timedOut: false, exitCode: 143 });
});

test("truncated reads and output deliver only the start [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "0123456789" });
  const reported: string[] = [];
  const faults: string[] = [];
  const faulty = withFaults(environment, {
    rules: [{ fault: { kind: "partial", length: 4, exitCode: 255 } }],
    onFault: ({ operation }, { kind }) => faults.push(`${operation}: ${kind}`),
  });
  expect(await faulty.readFile("a.txt")).toBe("0123");
  expect([...(await faulty.readBytes("a.txt"))]).toEqual([48, 49, 50, 51]);
  const onOutput = ({ text }: { text: string }) => void reported.push(text);
  expect(await faulty.shell("cat a.txt; cat a.txt >&2", { onOutput })).toMatchObject({
    stdout: "0123",
    stderr: "0123",
    exitCode: 255,
  });
  expect(reported.sort()).toEqual(["0123", "0123"]);
  const spawned = await faulty.spawn(["cat", "a.txt"]);
  expect(await new Response(spawned.stdout).text()).toBe("0123");
  expect((await spawned.exited).exitCode).toBe(0);
  expect(faults).toEqual(["readFile: partial", "readBytes: partial", "shell: partial", "spawn: partial"]);
});
