import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { collect, type TemporaryPlace, temporaryPlace, typesOf } from "./temporary-session.ts";

const CHILD = new URL("./fixtures/run-in-child.mjs", import.meta.url).pathname;

/** Starts a session in a process of its own and resolves when it has printed `lines` lines. */
async function startChild(place: TemporaryPlace, lines: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CHILD, place.root, place.stateDirectory, "talk"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.split("\n").length > lines) break;
  }
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("a run that was accepted is listed after SIGKILL, and what was seen of it is in its log [D1] [D8]", async () => {
  // The first line is printed when `startSession` has resolved, the others for events that were seen.
  for (const lines of [1, 2, 40, 200]) {
    using place = temporaryPlace();
    await kill(await startChild(place, lines));
    const store = openFileStore({ directory: place.stateDirectory });
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
