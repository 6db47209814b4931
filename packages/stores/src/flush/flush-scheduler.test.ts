import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FlushScheduler } from "./flush-scheduler.ts";

const FILE = {};

/** Creates a scheduler and a fake disk, on which each flush takes as long as the test requires. */
function openDisk(mode: "adaptive" | "background" = "adaptive") {
  let now = 0;
  const pace = new FlushScheduler({ mode, monotonic: () => now });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  const wait = (milliseconds: number): Promise<void> => pace.wait(async () => pass(milliseconds));
  return {
    pace,
    pass,
    wait,
    now: () => now,
    block: (milliseconds: number, subject = FILE) => pace.block(subject, () => pass(milliseconds)),
    probe: async () => {
      for (let probes = 0; probes < 4; probes += 1) await wait(0.1);
    },
    /**
     * Flushes until a given time, on the thread that the scheduler chooses. Resolves with the longest flushes on this
     * thread.
     */
    flushUntil: async (end: number, take: () => number): Promise<number[]> => {
      const blocked: number[] = [];
      while (now < end) {
        const milliseconds = take();
        if (pace.mayBlock(FILE)) {
          pace.block(FILE, () => pass(milliseconds));
          blocked.push(milliseconds);
        } else await wait(milliseconds);
        await nextTurn();
      }
      return blocked;
    },
  };
}

describe("the thread that waits for a flush", () => {
  test("on this thread only after some quick flushes in a row", async () => {
    const { pace, wait, probe } = openDisk();
    expect(pace.mayBlock(FILE)).toBe(false);
    for (let probes = 0; probes < 3; probes += 1) await wait(0.1);
    expect(pace.mayBlock(FILE)).toBe(false);
    await wait(20);
    await wait(0.1);
    expect(pace.mayBlock(FILE)).toBe(false);
    await probe();
    expect(pace.mayBlock(FILE)).toBe(true);
  });

  test("is never this thread if configured", async () => {
    const { pace, probe } = openDisk("background");
    await probe();
    expect(pace.mayBlock(FILE)).toBe(false);
  });

  test("is another thread if nothing is known about the last second", async () => {
    const { pace, probe, pass, wait } = openDisk();
    await probe();
    pass(999);
    expect(pace.mayBlock(FILE)).toBe(true);
    pass(2);
    expect(pace.mayBlock(FILE)).toBe(false);
    await wait(0.1);
    expect(pace.mayBlock(FILE)).toBe(true);
  });

  test("is another thread while a flush is in progress there", async () => {
    const { pace, probe } = openDisk();
    await probe();
    let end = (): void => undefined;
    const waiting = pace.wait(() => new Promise((resolve) => (end = resolve)));
    expect(pace.mayBlock(FILE)).toBe(false);
    end();
    await waiting;
    expect(pace.mayBlock(FILE)).toBe(true);
  });

  test("is another thread for a second flush in the same turn of the event loop", async () => {
    const { pace, probe, block } = openDisk();
    await probe();
    block(0.1);
    expect([pace.mayBlock(FILE), pace.mayBlock({})]).toEqual([true, false]);
    await nextTurn();
    expect(pace.mayBlock({})).toBe(true);
  });

  test("is another thread after this one was blocked for long enough, so that other work continues", async () => {
    const { pace, probe, block, pass } = openDisk();
    await probe();
    let flushes = 0;
    for (; pace.mayBlock(FILE); flushes += 1) {
      block(0.2);
      pass(0.3);
    }
    expect(flushes).toBe(16);
    await nextTurn();
    expect(pace.mayBlock(FILE)).toBe(true);
  });
});

describe("a disk that gets slow", () => {
  test("blocks this thread once, is then flushed on another thread for a time that doubles, and finally counts as fast again", async () => {
    const { pace, probe, block, pass } = openDisk();
    const pauses: number[] = [];
    const measurePause = async (): Promise<number> => {
      await nextTurn();
      let paused = 0;
      for (await probe(); !pace.mayBlock(FILE); await probe()) {
        pass(0.6);
        paused += 1;
      }
      return paused;
    };
    await probe();
    for (let slow = 0; slow < 4; slow += 1) {
      block(30);
      pauses.push(await measurePause());
    }
    // Each step is a millisecond.
    expect(pauses).toEqual([10, 20, 40, 80]);
    pass(2_000);
    await probe();
    block(30);
    expect(await measurePause()).toBe(10);
  });

  test("also when the flush fails", async () => {
    const { pace, probe, pass } = openDisk();
    await probe();
    const failing = (): void =>
      pace.block(FILE, () => {
        pass(30);
        throw new Error("input or output failed");
      });
    expect(failing).toThrow("input or output failed");
    await nextTurn();
    await probe();
    expect(pace.mayBlock(FILE)).toBe(false);
  });

  test("blocks this thread ever more rarely, whatever the durations are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 6, max: 400 }), fc.integer({ min: 5, max: 60 }), async (slowMs, every) => {
        const disk = openDisk();
        let flushes = 0;
        const take = (): number => {
          flushes += 1;
          return flushes % every === 0 ? slowMs : 1;
        };
        const slow = (await disk.flushUntil(3_000, take)).filter((milliseconds) => milliseconds > 5);
        // The pauses between slow flushes are 10, 20, 40, … milliseconds.
        expect(slow.length).toBeLessThan(10 + 3_000 / (16 * 10));
      }),
      { numRuns: 30 },
    );
  });
});
