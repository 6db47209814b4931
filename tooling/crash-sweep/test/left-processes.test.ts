import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { LEDGER_VARIABLE } from "../src/scenario/scripted-call.mjs";
import { endLeftProcesses, leftProcesses } from "../src/worker/left-processes.mjs";

test("only processes that a run left behind are found by its ledger and ended", async ({ skip }) => {
  skip(!existsSync("/proc/self/environ"), "the system does not show the environment variables of a process");
  const [ledger, other] = [`/ledger-${process.pid}-a`, `/ledger-${process.pid}-b`];
  const script = "process.stdout.write('up'); setInterval(() => {}, 1000)";
  const start = (value: string) => spawn(process.execPath, ["-e", script], { env: { [LEDGER_VARIABLE]: value } });
  const [left, stranger] = [start(ledger), start(other)];
  try {
    await Promise.all([left, stranger].map(({ stdout }) => once(stdout, "data")));
    expect(leftProcesses(ledger)).toEqual([{ pid: left.pid, command: expect.stringContaining("setInterval") }]);
    const ended = once(left, "exit");
    endLeftProcesses(ledger);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect([leftProcesses(ledger), leftProcesses(other)]).toMatchObject([[], [{ pid: stranger.pid }]]);
  } finally {
    for (const child of [left, stranger]) child.kill("SIGKILL");
  }
});
