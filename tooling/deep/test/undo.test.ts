import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { COMMAND_EVERY, restoreAll } from "../src/suites/undo/run-case.mjs";
import { runUndoSuite } from "../src/suites/undo/run-undo-suite.mjs";
import { undoSuite } from "../src/suites/undo/undo.mjs";

const PATIENCE_MS = 600_000;
const log = () => undefined;

test(
  "undo restores content, mode, link, index and branch of generated repositories, or refuses and changes nothing",
  async () => {
    const { quick } = undoSuite.counts;
    // The last of these cases uses the command line.
    const { failures, figures, cases } = await undoSuite.run({
      seed: 1,
      first: COMMAND_EVERY - quick,
      count: quick,
      log,
    });
    console.log(figures);
    expect(failures).toEqual([]);
    expect(cases).toBe(quick);
    expect(Number(figures["restored cases"])).toBeGreaterThan(quick * 0.8);
    expect(Number(figures["restored cases with branches and index"])).toBeGreaterThan(0);
    expect(Number(figures["cases that used the command line"])).toBe(1);
  },
  PATIENCE_MS,
);

type Restore = typeof restoreAll;

/** Restores files as git stores them. */
const checkOut: Restore = async ({ root, env }) => {
  await promisify(execFile)("git", ["checkout", "--force", "--quiet", "HEAD", "--", "."], { cwd: root, env }).catch(
    log,
  );
};

const withoutPermissions: Restore = async (restoring) => {
  const record = { ...restoring.changes.record, modes: [], folders: [] };
  await restoreAll({ ...restoring, changes: { ...restoring.changes, record } });
};

const BATCH = 2;
const MOST = 12;

const FAULTY: readonly (readonly [title: string, restore: Restore])[] = [
  ["does nothing", async () => undefined],
  ["checks files out", checkOut],
  ["does not restore permissions", withoutPermissions],
];

test.for(FAULTY)("the suite detects a restore function that %s", { timeout: PATIENCE_MS }, async ([, restore]) => {
  let found = 0;
  for (let first = 0; first < MOST && found === 0; first += BATCH) {
    const { failures } = await runUndoSuite({ seed: 1, first, count: BATCH, log, restore });
    found += failures.length;
  }
  expect(found).toBeGreaterThan(0);
});
