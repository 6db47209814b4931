import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { mapLimit } from "./map-limit.mjs";

let running = 0;
let most = 0;
const work = async (ms) => {
  running += 1;
  most = Math.max(most, running);
  await setTimeout(ms);
  running -= 1;
  return `after ${ms}`;
};
assert.deepEqual(await mapLimit([12, 2, 6, 1], 2, work), ["after 12", "after 2", "after 6", "after 1"]);
assert.equal(most, 2);
assert.deepEqual(await mapLimit([], 2, work), []);
await assert.rejects(mapLimit([1], 1, () => Promise.reject(new Error("no"))), /no/);
