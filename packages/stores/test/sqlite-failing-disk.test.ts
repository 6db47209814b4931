import { spawn } from "node:child_process";
import { chmod, chown, cp, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { bundleFromSource } from "@switchyard/suite/load-from-source";
import { beforeAll, expect, test } from "vitest";
import { openSqliteStore } from "../src/sqlite/index.ts";
import { seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleRecord } from "./run-samples.ts";

const CHILD = fileURLToPath(new URL("./fixtures/sqlite-child.mjs", import.meta.url));
const NOBODY = 65_534;
const RETRY_TIMEOUT_MS = 300_000;

// The child may not write the bundle that it loads.
beforeAll(() =>
  bundleFromSource(new URL("./fixtures/sqlite-worker.ts", import.meta.url), new URL("..", import.meta.url)),
);

/** Runs the given commands in another process. Resolves with its output. */
async function workIn(argv: readonly string[], commands: readonly string[], uid?: number): Promise<unknown[]> {
  const [command = "", ...rest] = argv;
  const child = spawn(command, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  child.stdin.end(`${commands.join("\n")}\n`);
  const lines = (await text(child.stdout)).trim().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

test(
  "on a full disk a step is not reported as stored, earlier steps load, and writing continues once there is space [D2]",
  async ({ skip }) => {
    skip(process.platform === "win32", "needs a limit on the size of files");
    const path = join(await temporaryFolder(), "runs.db");
    const limited = ["sh", "-c", `ulimit -f 1500; exec "$0" "$@"`, process.execPath, CHILD, path];
    const printed = await workIn(limited, ["create run-1", "work 100000", "work 1"]);
    const steps = printed.slice(1, -2);
    expect(printed[0]).toEqual({ done: "create" });
    expect(printed.slice(-2)).toEqual([{ failed: "run.store_failed" }, { failed: "run.store_failed" }]);
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.at(-1)).toEqual({ iteration: steps.length, seq: steps.length });
    const store = await openSqliteStore({ path });
    expect((await store.load("run-1"))?.iteration).toBe(steps.length);
    const seqs = await seqsOf(store.events("run-1"));
    // Events are smaller than a checkpoint, so the events of the last two steps may be stored although their
    // checkpoints failed.
    const beyond = seqs.length - steps.length;
    expect(beyond).toBeGreaterThanOrEqual(0);
    expect(beyond).toBeLessThanOrEqual(2);
    const writer = await store.acquire("run-1");
    await writer.save(sampleCheckpoint("run-1", "room again"));
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: "room again" });
    await store.close();
  },
  RETRY_TIMEOUT_MS,
);

test(
  "a database that may only be read is refused to writers and stays as it is",
  async ({ skip }) => {
    skip(process.platform === "win32", "needs file permissions");
    const isRoot = process.getuid?.() === 0;
    const folder = await temporaryFolder();
    const path = join(folder, "runs.db");
    const store = await openSqliteStore({ path });
    await (await store.create(sampleRecord("run-1"), SAMPLE_REQUEST)).release();
    await store.close();
    const copy = join(folder, "copy.db");
    await cp(path, copy);
    await cp(`${path}-wal`, `${copy}-wal`);
    if (isRoot) for (const file of [folder, copy, `${copy}-wal`]) await chown(file, NOBODY, NOBODY);
    await chmod(copy, 0o400);
    const before = await stat(copy);
    const printed = await workIn([process.execPath, CHILD, copy], ["acquire run-1"], isRoot ? NOBODY : undefined).catch(
      () => [{ failed: "could not be opened" }],
    );
    expect(printed).toEqual([{ failed: "run.store_failed" }]);
    expect((await stat(copy)).mtimeMs).toBe(before.mtimeMs);
  },
  RETRY_TIMEOUT_MS,
);
