import { EngineError, findEngineError, hasErrorClass, type Interrupt } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createInterruptLatch, interruptedError, interruptOf, mergeInterrupts, watchInterrupts } from "../index.ts";

const never = new AbortController().signal;

test("the first interrupt is latched for every reader [engine-engine-13]", async () => {
  const latch = createInterruptLatch();
  const early = latch.source.receive(never);
  expect(latch.source.tryReceive()).toBeUndefined();
  expect([latch.interrupt({ cause: "user_cancel" }), latch.interrupt({ cause: "host_shutdown" })]).toEqual([
    true,
    false,
  ]);
  const first = { cause: "user_cancel" };
  expect([
    await early,
    await latch.source.receive(never),
    latch.source.tryReceive(),
    latch.source.tryReceive(),
  ]).toEqual([first, first, first, first]);
});

test("a reader stops waiting when its signal aborts or nothing more can arrive [engine-interrupter-3]", async () => {
  const latch = createInterruptLatch();
  const controller = new AbortController();
  const waiting = latch.source.receive(controller.signal);
  controller.abort();
  expect(await waiting).toBeUndefined();
  expect(await latch.source.receive(AbortSignal.abort())).toBeUndefined();
  const last = latch.source.receive(never);
  latch.close();
  expect([await last, latch.interrupt({ cause: "custom" })]).toEqual([undefined, false]);
});

test("the error of an interrupt names cause and detail when they are there [engine-interrupt-5] [engine-interrupt-6]", () => {
  const text = (interrupt: Interrupt): string => interruptedError(interrupt).message;
  expect(text({ cause: "" })).toBe("engine: interrupted");
  expect(text({ cause: "user_cancel" })).toBe("engine: interrupted (user_cancel)");
  expect(text({ cause: "", detail: "why" })).toBe("engine: interrupted: why");
  expect(text({ cause: "custom", detail: "why" })).toBe("engine: interrupted (custom): why");
});

test("cause and detail are found through any number of wrappers [engine-interrupt-4]", () => {
  const error = interruptedError({ cause: "custom", detail: "budget" });
  const wrapped = new Error("a", { cause: new AggregateError([new Error("b"), new Error("c", { cause: error })]) });
  expect(interruptOf(wrapped)).toEqual({ cause: "custom", detail: "budget" });
  expect([hasErrorClass(wrapped, "interrupted"), findEngineError(wrapped)]).toEqual([true, error]);
  expect([
    interruptOf(new Error("other")),
    interruptOf(new EngineError("run.cancelled")),
    interruptOf(undefined),
  ]).toEqual([undefined, undefined, undefined]);
});

async function all(source: AsyncIterable<Interrupt>): Promise<readonly Interrupt[]> {
  const list: Interrupt[] = [];
  for await (const interrupt of source) list.push(interrupt);
  return list;
}

test("a merged source gives all interrupts in order and closes with its sources [engine-merge-interrupts-1] [engine-merge-interrupts-2] [engine-merge-interrupts-3] [engine-merge-interrupts-6]", async () => {
  const [left, right, silent] = [createInterruptLatch(), createInterruptLatch(), createInterruptLatch()];
  const merged = mergeInterrupts([left.source, undefined, right.source, silent.source], { signal: never });
  const everything = all(merged);
  const first = merged.receive(never);
  right.interrupt({ cause: "host_shutdown" });
  expect(await first).toEqual({ cause: "host_shutdown" });
  left.interrupt({ cause: "host_shutdown" });
  expect(merged.closed).toBe(false);
  silent.close();
  expect(await everything).toEqual([{ cause: "host_shutdown" }, { cause: "host_shutdown" }]);
  expect([merged.closed, merged.tryReceive()]).toEqual([true, { cause: "host_shutdown" }]);
});

test("a merged source closes when its signal aborts, and has no listeners afterwards [engine-merge-interrupts-4] [engine-merge-interrupts-7]", async () => {
  const latch = createInterruptLatch();
  const controller = new AbortController();
  const merged = mergeInterrupts([latch.source], { signal: controller.signal });
  const waiting = merged.receive(never);
  controller.abort();
  expect([await waiting, merged.closed]).toEqual([undefined, true]);
  latch.interrupt({ cause: "user_cancel" });
  expect([merged.tryReceive(), await all(merged)]).toEqual([undefined, []]);
});

test("without sources a merged one is silent and open until its signal fires [engine-merge-interrupts-5]", async () => {
  const controller = new AbortController();
  const merged = mergeInterrupts([undefined], { signal: controller.signal });
  await Promise.resolve();
  expect([merged.closed, merged.tryReceive()]).toEqual([false, undefined]);
  expect(await merged.receive(AbortSignal.abort())).toBeUndefined();
  controller.abort();
  expect(await all(merged)).toEqual([]);
});

test("a watcher is stopped by the run's signal and by an interrupt, which it reports, and by nothing after its end", async () => {
  const latch = createInterruptLatch();
  const run = new AbortController();
  const first = watchInterrupts(run.signal, latch.source);
  latch.interrupt({ cause: "user_cancel" });
  await new Promise((resolve) => setImmediate(resolve));
  expect([first.signal.aborted, first.interrupt]).toEqual([true, { cause: "user_cancel" }]);
  const alone = watchInterrupts(run.signal, undefined);
  expect(alone.signal.aborted).toBe(false);
  run.abort();
  expect([alone.signal.aborted, alone.interrupt]).toEqual([true, undefined]);
  const later = createInterruptLatch();
  const over = watchInterrupts(never, later.source);
  over[Symbol.dispose]();
  later.interrupt({ cause: "custom" });
  const failing = { tryReceive: () => undefined, receive: () => Promise.reject(new Error("gone")) };
  const deaf = watchInterrupts(never, failing);
  await new Promise((resolve) => setImmediate(resolve));
  expect([over.interrupt, over.signal.aborted, deaf.signal.aborted]).toEqual([undefined, false, false]);
});
