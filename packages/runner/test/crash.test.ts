import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { resumeSession } from "../src/index.ts";
import { countingEngine } from "./counting-engine.ts";
import { COUNTED_STEPS } from "./fixtures/child-session.ts";
import { collect, type TemporaryWorkspace, temporaryWorkspace, typesOf } from "./temporary-session.ts";

const CHILD = new URL("./fixtures/run-in-child.mjs", import.meta.url).pathname;

interface Child {
  process: ChildProcess;
  /** Returns everything the process has printed. */
  output: () => string;
}

/** Starts a session in a child process. Resolves when it has printed `lines` lines. */
async function startChild(workspace: TemporaryWorkspace, lines: number, mode = "talk"): Promise<Child> {
  const child = spawn(process.execPath, [CHILD, workspace.root, workspace.stateDirectory, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.split("\n").length > lines) resolve();
    });
  });
  return { process: child, output: () => text };
}

async function kill({ process: child }: Child): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("an accepted run is listed after SIGKILL, and its observed events are in its log [D1] [D8]", async () => {
  // The child prints the first line when `startSession` resolves, and the others for events it received.
  for (const lines of [1, 2, 40, 200]) {
    using workspace = temporaryWorkspace();
    await kill(await startChild(workspace, lines));
    const store = openFileStore({ directory: workspace.stateDirectory });
    const [run, ...others] = await store.list();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ runId: "child", record: { status: "running", engine: "talker" } });
    const events = await collect(store.events("child"));
    expect(events.length).toBeGreaterThanOrEqual(lines - 1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect((await store.show("child")).problems).toEqual([]);
    if (events.length > 0) expect(typesOf(events)[0]).toBe("run_start");
  }
});

test("a killed run continues in another process and ends as if it had not been interrupted [D2] [D7] [D8] [D9]", async () => {
  // Kills the child after acceptance, in the middle and near the end. Each step publishes two events.
  for (const lines of [1, 30, 75]) {
    using workspace = temporaryWorkspace();
    await kill(await startChild(workspace, lines, "count"));
    const store = openFileStore({ directory: workspace.stateDirectory });
    const [before, checkpoint] = [await collect(store.events("child")), await store.load("child")];
    expect(before.length).toBeGreaterThanOrEqual(lines - 1);
    const saved = before.filter((event) => event.type === "checkpoint_saved").length;
    expect(Number(checkpoint?.board.vars["step"] ?? 0)).toBeGreaterThanOrEqual(saved);

    const engine = countingEngine({ steps: COUNTED_STEPS });
    const handle = await resumeSession("child", workspace.options({ engine, engineName: "counter" }));
    const added = await collect(handle.events(handle.startSeq));
    const report = await handle.result;
    expect(report).toMatchObject({ status: "completed", usage: { totalTokens: 11 * COUNTED_STEPS } });
    const steps = readFileSync(join(workspace.root, "steps.txt"), "utf8").trim().split("\n");
    // A step that took effect before the crash, but was not in a checkpoint yet, is repeated.
    expect([...new Set(steps)]).toEqual(Array.from({ length: COUNTED_STEPS }, (_, index) => `${index + 1}`));
    expect(steps.length).toBeLessThanOrEqual(COUNTED_STEPS + 1);
    const events = await collect(store.events("child"));
    expect(events.slice(before.length)).toEqual(added);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(typesOf(events).filter((type) => type === "run_end")).toHaveLength(1);
    expect((await store.show("child")).record).toMatchObject({ status: "completed", attempt: 2 });
  }
});

test("a live process keeps its run until it is taken over, and then stops by itself [D6]", async () => {
  using workspace = temporaryWorkspace();
  const child = await startChild(workspace, 5);
  const exited = once(child.process, "close");
  const engine = countingEngine();
  const options = workspace.options({ engine, engineName: "talker" });
  await expect(resumeSession("child", options)).rejects.toMatchObject({ code: "run.leased" });
  const handle = await resumeSession("child", { ...options, takeOver: true });
  expect((await handle.result).status).toBe("completed");
  await exited;
  const last = child.output().trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ status: "error", error: { code: "store.stale_epoch" } });
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect(await store.show("child")).toMatchObject({
    record: { status: "completed", attempt: 2 },
    report: { status: "completed" },
  });
  const events = await collect(store.events("child"));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === "run_end").map(({ attempt }) => attempt)).toEqual([2]);
});
