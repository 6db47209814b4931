// @ts-check
// Setup file of every test file. Starting a child process copies the page tables of the test process, so each start
// takes longer the more memory the test process uses. V8 collects garbage rarely while the machine has free memory.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach } from "vitest";

const MIB = 1024 * 1024;
/** Memory use of the test process above which garbage is collected after a test, in bytes. */
const MIN_THRESHOLD = 256 * MIB;
/** The threshold grows to this multiple of the memory that is still in use after a collection. */
const GROWTH = 1.5;

/** Shared by the test files of a process. */
const KEY = Symbol.for("switchyard.suite.garbage-threshold");
/** @type {Record<symbol, number | undefined>} */
const thresholds = Object(globalThis);

afterEach(() => {
  if (process.memoryUsage.rss() < (thresholds[KEY] ?? MIN_THRESHOLD)) return;
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  thresholds[KEY] = Math.max(MIN_THRESHOLD, GROWTH * process.memoryUsage.rss());
});
