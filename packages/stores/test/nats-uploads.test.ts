import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { RunCluster } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openNatsCluster } from "../src/nats/index.ts";
import { describeWithBroker, useBroker } from "./broker.ts";
import { temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleEvents, sampleRecord } from "./run-samples.ts";

describeWithBroker("files that are stored before their run", () => {
  const broker = useBroker();

  async function openMember(name: string = broker().createName()): Promise<RunCluster> {
    const servers = broker().server.url;
    return await openNatsCluster({ servers, name, filesDirectory: await temporaryFolder(), leaseMs: 400 });
  }

  test("files that were stored for a run are kept if the id belonged to a deleted run, and each upload is separate", async () => {
    await using one = await openMember();
    for (const text of ["old", "new"]) {
      await one.putFile("r1", `input.${text}`, { path: "a.txt", content: Buffer.from(text) });
      // Storing the run removes remaining data of the deleted run with this id.
      await (await one.store.create(sampleRecord("r1"), SAMPLE_REQUEST)).release();
      expect(Buffer.from((await one.readFile("r1", `input.${text}`, "a.txt")) ?? []).toString()).toBe(text);
      if (text === "old") await one.store.delete("r1");
    }
    expect(await one.readFile("r1", "input.old", "a.txt")).toBeUndefined();
    await one.putFile("r1", "input.other", { path: "a.txt", content: Buffer.from("other") });
    await one.removeFiles("r1", "input.other");
    expect(await one.readFile("r1", "input.other", "a.txt")).toBeUndefined();
    expect(await one.readFile("r1", "input.new", "a.txt")).toBeDefined();
  });

  test("old files of runs that were never stored are removed, and so are old markers of deleted runs", async () => {
    const name = broker().createName();
    await using cluster = await openMember(name);
    const content = Buffer.alloc(1024 * 1024, "x");
    for (const runId of ["never-stored", "stored", "deleted"]) {
      await cluster.putFile(runId, "input.1", { path: "large.bin", content });
      if (runId === "never-stored") continue;
      await (await cluster.store.create(sampleRecord(runId), SAMPLE_REQUEST)).release();
    }
    await cluster.store.delete("deleted");
    const connection = await connect({ servers: broker().server.url });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    const runsWithData = async (): Promise<string[]> => {
      const { state } = await manager.streams.info(`${name}_runs`, { subjects_filter: `${name}.run.>` });
      const ids = Object.keys(state.subjects ?? {}).map((subject) => subject.split(".")[2] ?? "");
      return [...new Set(ids)].sort();
    };
    const collect = (orphansBefore: number) => cluster.store.collectGarbage({ before: 0, orphansBefore });
    expect(await collect(Date.now() - 3_600_000)).toEqual([]);
    expect(await runsWithData()).toEqual(["deleted", "never-stored", "stored"]);
    expect(await collect(Date.now() + 3_600_000)).toEqual([]);
    expect(await runsWithData()).toEqual(["stored"]);
    expect((await cluster.readFile("stored", "input.1", "large.bin"))?.length).toBe(content.length);
  });

  test("the size of a run includes its files, events and checkpoints, also after many messages", async () => {
    await using cluster = await openMember();
    const content = Buffer.alloc(700_000, "x");
    for (const runId of ["small", "large"]) {
      const writer = await cluster.store.create(sampleRecord(runId), SAMPLE_REQUEST);
      for (let first = 1; first < 20; first += 2) await writer.append(sampleEvents(first, first + 1));
      await writer.release();
    }
    await cluster.putFile("large", "input.1", { path: "a.txt", content });
    await cluster.putFile("large", "outcome.2", { path: "a.txt", content });
    const sizes = await cluster.store.sizes?.();
    const [small = 0, large = 0] = [sizes?.get("small"), sizes?.get("large")];
    expect(small).toBeGreaterThan(1_000);
    expect(large - small).toBe(2 * content.length);
  });
});
