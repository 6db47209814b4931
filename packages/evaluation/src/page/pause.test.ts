import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { pause } from "./pause.ts";

test("pauses leave no listeners on the signal, so long evaluations cause no leak warning", async () => {
  const stop = new AbortController();
  for (let count = 0; count < 3; count += 1) await pause(1, stop.signal);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

test("a pause ends when its signal aborts, also if the signal aborted before", async () => {
  const stop = new AbortController();
  const waiting = pause(1_000_000, stop.signal);
  stop.abort();
  await waiting;
  await pause(1_000_000, stop.signal);
});
