import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { expect, onTestFinished, test } from "vitest";
import { openFileStore } from "../src/file/index.ts";
import { CHILD_LEASE_MS } from "./fixtures/child-writer.ts";
import { codeOf, listOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { sampleCheckpoint, sampleEvents } from "./run-samples.ts";

const CHILD = new URL("./fixtures/run-in-child.mjs", import.meta.url).pathname;
const hasProc = process.platform === "linux";

/** A writer in a separate process. */
interface Child {
  readonly process: ChildProcess;
  /** Sends a command to the process and resolves with the response. */
  ask(command: string): Promise<string>;
  /** Sends a signal and resolves when the process has the resulting state. */
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
}

async function stateOf(pid: number | undefined): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "latin1");
  return text.charAt(text.lastIndexOf(")") + 2);
}

async function startChild(directory: string): Promise<Child> {
  const child = spawn(process.execPath, [CHILD, directory], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<string> => String((await lines.next()).value);
  expect(await answer()).toBe("ready");
  return {
    process: child,
    ask: async (command) => {
      child.stdin.write(`${command}\n`);
      return await answer();
    },
    signal: async (name) => {
      child.kill(name);
      if (name === "SIGKILL") await exited;
      while (name === "SIGSTOP" && (await stateOf(child.pid)) !== "T");
    },
  };
}

test("a run whose writer was killed is acquired at once, with all it acknowledged [D1] [D2] [D6]", async ({ skip }) => {
  skip(!hasProc, "only Linux reports immediately that a process is dead");
  const directory = await temporaryFolder();
  const child = await startChild(directory);
  expect(await child.ask("create")).toBe("ok 1");
  expect(await child.ask("save one")).toBe("ok");
  expect(await child.ask("append")).toBe("ok 1");
  // The lease time is a day, so that a test that waited for missing heartbeats would time out.
  const store = openFileStore({ directory, leaseMs: 86_400_000 });
  expect((await store.list())[0]).toMatchObject({ lease: { epoch: 1, isHeld: true } });
  await child.signal("SIGKILL");
  expect((await store.list())[0]).toMatchObject({ lease: { epoch: 1, isHeld: false } });
  const writer = await store.acquire("run-1");
  expect([writer.epoch, writer.lastSeq]).toEqual([2, 1]);
  expect((await writer.load())?.board.vars).toEqual({ value: "one" });
  await store.close();
});

test("while its writer gives signs of life a run is refused, however long one waits [D6]", async () => {
  const directory = await temporaryFolder();
  const child = await startChild(directory);
  await child.ask("create");
  const store = openFileStore({ directory, leaseMs: CHILD_LEASE_MS });
  for (let round = 0; round < 3; round += 1) expect(await codeOf(store.acquire("run-1"))).toBe("run.leased");
  expect(await child.ask("save two")).toBe("ok");
  const gaveUp = store.acquire("run-1", { signal: AbortSignal.abort(new Error("no time")) });
  await expect(gaveUp).rejects.toThrow("no time");
});

test("a stopped writer is taken over, and refused when it wakes [D6] [D8]", async ({ skip }) => {
  skip(!hasProc, "needs /proc to read the state of another process");
  for (const takeOver of [true, false]) {
    const directory = await temporaryFolder();
    const child = await startChild(directory);
    await child.ask("create");
    await child.ask("save old");
    await child.ask("append");
    await child.signal("SIGSTOP");
    const store = openFileStore({ directory, leaseMs: CHILD_LEASE_MS });
    const writer = await store.acquire("run-1", { takeOver });
    expect((await writer.load())?.board.vars).toEqual({ value: "old" });
    await writer.append(sampleEvents(2, 2, "mine"));
    await writer.save(sampleCheckpoint("run-1", "mine"));
    await child.signal("SIGCONT");
    expect(await child.ask("save stale")).toBe("store.stale_epoch");
    expect(await child.ask("append")).toBe("store.stale_epoch");
    expect(await child.ask("release")).toBe("ok");
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: "mine" });
    expect(await seqsOf(store.events("run-1"))).toEqual([1, 2]);
    expect((await store.show("run-1")).lease).toEqual({ epoch: 2, isHeld: true });
    await store.close();
  }
});

test("processes that fight for one run lose no turn and repeat none [D2] [D6] [D8]", async () => {
  const directory = await temporaryFolder();
  const children = await Promise.all([startChild(directory), startChild(directory), startChild(directory)]);
  expect(await children[0]?.ask("create")).toBe("ok 1");
  expect(await children[0]?.ask("release")).toBe("ok");
  const answers = await Promise.all(children.map((child) => child.ask("race 12")));
  const turns = answers.map((answer) => Number(/^ok (\d+)$/.exec(answer)?.[1]));
  const acknowledged = turns.reduce((sum, count) => sum + count, 0);
  expect(acknowledged).toBeGreaterThan(0);
  const store = openFileStore({ directory });
  const events = await listOf(store.events("run-1"));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  // The writers' epochs increase from event to event: no earlier writer wrote after the takeover.
  const epochs = events.map(({ payload }) => Number(Object(payload).message));
  expect(epochs).toEqual([...epochs].sort((left, right) => left - right));
  expect((await store.load("run-1"))?.iteration).toBeGreaterThanOrEqual(acknowledged);
});
