import { expect, test } from "vitest";
import { manualClock } from "../index.ts";

test("time is fixed until it is advanced", async () => {
  const clock = manualClock(1000);
  expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
  await clock.advance(500);
  expect([clock.now(), clock.monotonic()]).toEqual([1500, 500]);
});

test("sleepers wake in the order of their deadlines", async () => {
  const clock = manualClock(0);
  const woken: string[] = [];
  const sleep = async (name: string, durationMs: number): Promise<void> => {
    await clock.sleep(durationMs);
    woken.push(`${name} at ${clock.now()}`);
  };
  const all = Promise.all([sleep("late", 30), sleep("early", 10), sleep("never", 99).catch(() => {})]);
  expect(clock.sleeping).toBe(3);
  await clock.advance(50);
  expect([woken, clock.sleeping, clock.now()]).toEqual([["early at 10", "late at 30"], 1, 50]);
  await clock.advance(49);
  await all;
  expect(clock.sleeping).toBe(0);
});

test("a sleeper that sleeps again while time advances is woken again", async () => {
  const clock = manualClock(0);
  let ticks = 0;
  const ticking = (async () => {
    while (ticks < 5) {
      await clock.sleep(10);
      ticks += 1;
    }
  })();
  await clock.advance(35);
  expect(ticks).toBe(3);
  await clock.advance(15);
  await ticking;
  expect(ticks).toBe(5);
});

test("a signal ends a sleep with its reason", async () => {
  const clock = manualClock();
  const controller = new AbortController();
  const reason = new Error("enough");
  const sleeping = clock.sleep(10, { signal: controller.signal });
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  await expect(clock.sleep(10, { signal: controller.signal })).rejects.toBe(reason);
  expect(clock.sleeping).toBe(0);
});
