import { EngineError, type Host } from "@switchyard/contracts";
import { createMemoryStore } from "@switchyard/stores/memory";
import { expect, test } from "vitest";
import { resumeSession, runSession } from "../src/index.ts";
import { countingEngine, mishap } from "./counting-engine.ts";
import { deferred, task, temporaryWorkspace } from "./temporary-session.ts";

async function failedRun(workspace: ReturnType<typeof temporaryWorkspace>) {
  const store = createMemoryStore({ directory: `${workspace.root}/../runs` });
  const failing = countingEngine({
    before: (step) => {
      if (step === 2) throw mishap();
    },
  });
  const options = { ...workspace.options({ engine: failing, store }), engineName: "counter" };
  const { runId } = await runSession(task(), options);
  return { runId, store, options: { ...options, engine: countingEngine() } };
}

test("a resume that is cancelled before its attempt begins does not change the run, and releases it", async () => {
  using workspace = temporaryWorkspace();
  const { runId, store, options } = await failedRun(workspace);
  const before = await store.show(runId);
  const whileReading = new AbortController();
  const slow = {
    ...store,
    show: async (id: string) => {
      whileReading.abort();
      return store.show(id);
    },
  };
  for (const more of [{ signal: AbortSignal.abort() }, { signal: whileReading.signal, store: slow }]) {
    await expect(resumeSession(runId, { ...options, ...more })).rejects.toMatchObject({ code: "run.cancelled" });
    const after = await store.show(runId);
    expect(after.record).toEqual(before.record);
    expect(after.lease?.isHeld).toBe(false);
  }
  expect(await (await resumeSession(runId, options)).result).toMatchObject({ status: "completed" });
});

test("a resume that is cancelled while it waits for the run is cancelled, but a failure of the store keeps its code", async () => {
  using workspace = temporaryWorkspace();
  const { runId, store, options } = await failedRun(workspace);
  const leased = new EngineError("run.leased", { runId, owner: "another process" });
  for (const [failure, code] of [[undefined, "run.cancelled"] as const, [leased, "run.leased"] as const]) {
    const controller = new AbortController();
    const acquire = async (): Promise<never> => {
      controller.abort();
      throw failure ?? controller.signal.reason;
    };
    const resume = resumeSession(runId, { ...options, signal: controller.signal, store: { ...store, acquire } });
    await expect(resume).rejects.toMatchObject({ code });
  }
});

test("a resumed run is cancelled in bounded time although a middleware never passes a checkpoint on [D10]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, store, options } = await failedRun(workspace);
  const [reached, released] = [deferred(), deferred()];
  const stuck = (inner: Host): Host => ({
    ...inner,
    checkpoint: async (checkpoint) => {
      reached.resolve();
      await released.promise;
      await inner.checkpoint(checkpoint);
    },
  });
  const cancel = new AbortController();
  const more = { middlewares: [stuck], signal: cancel.signal, cancelGraceMs: 1 };
  const handle = await resumeSession(runId, { ...options, ...more });
  await reached.promise;
  cancel.abort();
  const report = await handle.result;
  expect(report).toMatchObject({ status: "cancelled", error: { code: "run.cancelled" } });
  const before = await store.show(runId);
  released.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await store.show(runId)).toEqual(before);
  expect((await store.load(runId))?.step).toBe("step 1");
  const again = await resumeSession(runId, options).catch((error: unknown) => error);
  expect(EngineError.is(again, "run.finished")).toBe(true);
});
