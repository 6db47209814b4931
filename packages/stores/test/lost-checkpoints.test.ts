import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { RunStore } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { openNatsStore } from "../src/nats/index.ts";
import { openSqliteStore } from "../src/sqlite/index.ts";
import { describeWithBroker, useBroker } from "./broker.ts";
import { codeOf, refusalOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord } from "./run-samples.ts";

const broker = useBroker();

/** Saves checkpoints with increasing values on one board, followed by an event. */
async function work(store: RunStore, values: readonly number[]): Promise<void> {
  const isNew = values[0] === 1;
  const writer = isNew
    ? await store.create(sampleRecord("run-1"), SAMPLE_REQUEST)
    : await store.acquire("run-1", { takeOver: true });
  const board = createBoard((await writer.load())?.board);
  for (const value of values) {
    board.appendSliceVar("values", value);
    await writer.save({ ...sampleCheckpoint("run-1", 0), board: board.snapshot() });
  }
  await writer.append(sampleEvents(writer.lastSeq + 1, writer.lastSeq + 1));
  await writer.release();
}

describe("a database", () => {
  test("that was replaced by an older copy, or lost its write-ahead log, is older than its watermark [D2] [D3]", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const first = await openSqliteStore({ path });
    await work(first, [1, 2]);
    // Closing moves the write-ahead log into the database file.
    await first.close();
    await copyFile(path, `${path}.copy`);
    const second = await openSqliteStore({ path });
    await work(second, [3]);
    // Simulates the files that a killed process leaves: the newest data is in the write-ahead log only.
    await copyFile(path, `${path}.without-log`);
    await second.close();
    for (const copy of ["copy", "without-log"]) {
      await copyFile(`${path}.${copy}`, path);
      for (const suffix of ["-wal", "-shm"]) await rm(path + suffix, { force: true });
      const store = await openSqliteStore({ path });
      const refusal = await refusalOf(store.load("run-1"));
      expect([copy, refusal.code]).toEqual([copy, "checkpoint.lost"]);
      expect(refusal.message).toContain(`${path} (run run-1) are lost: checkpoint 3 was saved`);
      const writer = await store.acquire("run-1");
      expect(await codeOf(writer.load())).toBe("checkpoint.lost");
      await writer.release();
      await store.close();
    }
  });

  test("whose checkpoint rows are missing or older returns an error [D2] [D3]", async () => {
    const statements = [
      "DELETE FROM checkpoints",
      "DELETE FROM checkpoint_logs",
      "DELETE FROM checkpoints; UPDATE checkpoint_logs SET first_line = 0",
      "DELETE FROM checkpoints WHERE id = (SELECT max(id) FROM checkpoints)",
      "DELETE FROM checkpoints WHERE id >= (SELECT max(id) - 1 FROM checkpoints); INSERT INTO checkpoints SELECT max(id) + 1, 0 FROM checkpoints",
    ];
    const { default: Database } = await import("libsql");
    for (const sql of statements) {
      const path = join(await temporaryFolder(), "runs.db");
      const store = await openSqliteStore({ path });
      await work(store, [1, 2, 3]);
      await store.close();
      const database = new Database(path);
      database.exec(sql);
      database.close();
      const damaged = await openSqliteStore({ path });
      expect([sql, await codeOf(damaged.load("run-1"))]).toEqual([
        sql,
        expect.stringMatching(/^checkpoint\.(lost|corrupt)$/),
      ]);
      await damaged.close();
    }
  });
});

describeWithBroker("streams of a broker", () => {
  async function openRun(values: readonly number[]) {
    const { server, createName } = broker();
    const name = createName();
    const options = { servers: server.url, name, filesDirectory: await temporaryFolder(), leaseMs: 600 };
    const store = await openNatsStore(options);
    onTestFinished(() => store.close());
    await work(store, values);
    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    const subject = `${name}.run.run-1.data.checkpoints`;
    return { store, options, manager, subject, stream: `${name}_runs` };
  }

  test("that lost all or the last checkpoint messages are older than the watermark [D2] [D3]", async () => {
    const { store, manager, subject, stream } = await openRun([1, 2, 3]);
    const last = await manager.streams.getMessage(stream, { last_by_subj: subject });
    await manager.streams.deleteMessage(stream, last?.seq ?? 0);
    expect((await refusalOf(store.load("run-1"))).message).toContain("the newest stored checkpoint is number 2");
    await manager.streams.purge(stream, { filter: subject });
    expect((await refusalOf(store.load("run-1"))).message).toContain("checkpoint 3 was saved, but no checkpoint");
    const writer = await store.acquire("run-1");
    expect(await codeOf(writer.load())).toBe("checkpoint.lost");
    await writer.release();
  });

  test("from which a run was deleted elsewhere and created again have another watermark [D3]", async () => {
    const { store, options } = await openRun([1, 2, 3]);
    const elsewhere = await openNatsStore({ ...options, filesDirectory: await temporaryFolder() });
    await elsewhere.delete("run-1");
    const again = { ...sampleRecord("run-1"), created_at: "2027-01-01T00:00:00.000Z" };
    const writer = await elsewhere.create(again, SAMPLE_REQUEST);
    await writer.save(sampleCheckpoint("run-1", 7));
    await writer.release();
    await elsewhere.close();
    expect((await store.load("run-1"))?.execId).toBe("run-1");
    const here = await store.acquire("run-1");
    expect((await here.load())?.execId).toBe("run-1");
    await here.release();
  });
});
