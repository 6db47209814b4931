import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { Envelope, RunStore } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { type NatsServer, natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { expect, onTestFinished, test } from "vitest";
import { type NatsStoreOptions, openNatsEventBus, openNatsStore, openNatsWorkQueue } from "../src/nats/index.ts";
import { brokerProblem } from "./broker.ts";
import { startProxy } from "./broker-proxy.ts";
import { codeOf, listOf, refusalOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

const RETRY_TIMEOUT_MS = 300_000;

type Skip = (condition: boolean, note?: string) => void;

/** Starts a broker that the test can kill. */
async function startBroker(skip: Skip, ...argv: readonly string[]): Promise<NatsServer> {
  skip(brokerProblem !== undefined, brokerProblem);
  const server = await startNatsServer({ argv });
  onTestFinished(() => server.stop());
  return server;
}

async function openStore(server: Pick<NatsServer, "url">, more: Partial<NatsStoreOptions> = {}): Promise<RunStore> {
  const store = await openNatsStore({ servers: server.url, filesDirectory: await temporaryFolder(), ...more });
  onTestFinished(() => store.close());
  return store;
}

function envelopeOf(subject: string, id: string): Envelope {
  return { id, type: "warning", subject, time: "t", attempt: 1, headers: {}, payload: { message: "hello" } };
}

test(
  "a broker that is killed and restarted has all acknowledged data, and the writer continues [D2] [D8]",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const store = await openStore(server);
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.append(sampleEvents(1, 3));
    await writer.save(sampleCheckpoint("run-1", "before"));
    await server.kill();
    const appending = writer.append(sampleEvents(4, 4));
    const saving = writer.save(sampleCheckpoint("run-1", "after"));
    await server.start();
    await Promise.all([appending, saving]);
    await writer.append(sampleEvents(5, 5));
    expect(await seqsOf(store.events("run-1"))).toEqual([1, 2, 3, 4, 5]);
    expect((await store.load("run-1"))?.board.vars["value"]).toBe("after");
    await writer.finish(sampleReport("run-1"), { status: "completed" });
    expect((await store.show("run-1")).report?.status).toBe("completed");
  },
  RETRY_TIMEOUT_MS,
);

test(
  "data that was stored although the response was lost is not stored twice [D7] [D8]",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const proxy = await startProxy(server);
    const store = await openStore(proxy);
    const direct = await openStore(server);
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    proxy.mute();
    const writes = [writer.append(sampleEvents(1, 2)), writer.save(sampleCheckpoint("run-1", 1))];
    const update = writer.update({ title: "changed" });
    await expect.poll(() => seqsOf(direct.events("run-1"))).toEqual([1, 2]);
    await expect.poll(async () => (await direct.show("run-1")).record?.title).toBe("changed");
    proxy.cut();
    await Promise.all([...writes, update]);
    await writer.append(sampleEvents(3, 3));
    expect(await seqsOf(direct.events("run-1"))).toEqual([1, 2, 3]);
    expect((await direct.load("run-1"))?.board.vars["value"]).toBe(1);
  },
  RETRY_TIMEOUT_MS,
);

test(
  "a writer whose wait timed out continues when the broker is back, and its repeated request is stored once [D8]",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const proxy = await startProxy(server);
    const store = await openStore(proxy, { retryTimeoutMs: 1 });
    const direct = await openStore(server);
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    proxy.mute();
    const [events, checkpoint] = await Promise.all([
      codeOf(writer.append(sampleEvents(1, 2))),
      codeOf(writer.save(sampleCheckpoint("run-1", 1))),
    ]);
    expect([events, checkpoint]).toEqual(["run.store_failed", "run.store_failed"]);
    proxy.cut();
    const again = (): Promise<void> => writer.append(sampleEvents(1, 3));
    await expect
      .poll(() =>
        again().then(
          () => "kept",
          () => "refused",
        ),
      )
      .toBe("kept");
    await writer.save(sampleCheckpoint("run-1", 2));
    expect(writer.lastSeq).toBe(3);
    expect(await seqsOf(direct.events("run-1"))).toEqual([1, 2, 3]);
    expect((await direct.load("run-1"))?.board.vars["value"]).toBe(2);
  },
  RETRY_TIMEOUT_MS,
);

test(
  "consecutive failing calls share one time limit, and succeed when the broker is back",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const proxy = await startProxy(server);
    const store = await openStore(proxy, { retryTimeoutMs: 6_000 });
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const events = sampleEvents(1, 1, "text-of-the-event");
    const append = (): Promise<string> => codeOf(writer.append(events));
    proxy.mute();
    const sent = proxy.countMessages("text-of-the-event");
    expect(await append()).toBe("run.store_failed");
    const first = sent();
    expect(await append()).toBe("run.store_failed");
    // The second call finds the time limit used up, so it does not repeat its request.
    expect(first).toBeGreaterThan(1);
    expect(sent()).toBe(first + 1);
    proxy.cut();
    const again = (): Promise<boolean> =>
      writer.append(events).then(
        () => true,
        () => false,
      );
    await expect.poll(again).toBe(true);
    expect(await seqsOf(store.events("run-1"))).toEqual([1]);
  },
  RETRY_TIMEOUT_MS,
);

test(
  "data larger than a message of the broker is read completely, and its storage is released [D2]",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const store = await openStore(server, { name: "large" });
    const request = { ...SAMPLE_REQUEST, settings: { text: "r".repeat(2_000_000) } };
    const writer = await store.create(sampleRecord("run-1"), request);
    await writer.append(sampleEvents(1, 3, "e".repeat(1_500_000)));
    const board = createBoard();
    for (let step = 1; step <= 6; step += 1) {
      board.setVar("value", `${step}`.repeat(2_500_000));
      await writer.save({ execId: "run-1", board: board.snapshot(), timestamp: "t" });
      expect((await store.load("run-1"))?.board.vars["value"]).toBe(`${step}`.repeat(2_500_000));
    }
    expect((await store.show("run-1")).request).toEqual(request);
    expect(await seqsOf(store.events("run-1"))).toEqual([1, 2, 3]);
    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    const checkpoints = { subjects_filter: "large.run.run-1.data.parts.checkpoints.>" };
    const { state } = await manager.streams.info("large_runs", checkpoints);
    expect(Object.keys(state.subjects ?? {}).length).toBeLessThan(6);
    await writer.release();
    await store.delete("run-1");
    const { state: rest } = await manager.streams.info("large_runs");
    // Only the run's name and epoch remain, so that an earlier writer cannot write again.
    expect(rest.messages).toBe(1);
    await store.collectGarbage({ before: Date.now() + 1_000 });
    expect((await manager.streams.info("large_runs")).state.messages).toBe(0);
  },
  RETRY_TIMEOUT_MS,
);

test("a message that the broker lost is damage, not absence [D3]", async ({ skip }) => {
  const server = await startBroker(skip);
  const store = await openStore(server, { name: "lost" });
  const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  for (const seq of [1, 2, 3]) {
    await writer.append(sampleEvents(seq, seq));
    await writer.save(sampleCheckpoint("run-1", seq));
  }
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection);
  const remove = async (subject: string, text: string): Promise<void> => {
    const { state } = await manager.streams.info("lost_runs");
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const found = await manager.streams.getMessage("lost_runs", { seq });
      if (found?.subject === `lost.run.run-1.data.${subject}` && found.string().includes(text)) {
        await manager.streams.deleteMessage("lost_runs", seq);
        return;
      }
    }
    throw new Error(`nothing on ${subject} has ${text}`);
  };
  await remove("events", '"seq":2');
  expect(await codeOf(seqsOf(store.events("run-1")))).toBe("run.malformed_record");
  await remove("checkpoints", '"n":2');
  expect(await codeOf(store.load("run-1"))).toBe("checkpoint.corrupt");
  await writer.release();
  await (await store.acquire("run-1")).release();
  // The message by which the second writer took over records that checkpoints existed.
  for (const number of [1, 3]) await remove("checkpoints", `"n":${number},`);
  expect(await codeOf(store.load("run-1"))).toBe("checkpoint.corrupt");
});

test("a writer of a deleted run that was created again is refused [D6]", async ({ skip }) => {
  const store = await openStore(await startBroker(skip));
  const stale = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  await (await store.acquire("run-1", { takeOver: true })).release();
  await store.delete("run-1");
  const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  expect(writer.epoch).toBeGreaterThan(2);
  const writes = [stale.append(sampleEvents(1, 1)), stale.save(sampleCheckpoint("run-1", 0)), stale.update({})];
  expect(await Promise.all(writes.map(codeOf))).toEqual(writes.map(() => "store.stale_epoch"));
  expect(await seqsOf(store.events("run-1"))).toEqual([]);
  expect(await store.load("run-1")).toBeUndefined();
});

test(
  "data acknowledged by a broker that flushes each message is present after it is killed, and it is opened for that [D2]",
  async ({ skip }) => {
    const problem = natsServerProblem({ isSynced: true });
    skip(problem !== undefined, problem);
    const server = await startNatsServer({ isSynced: true });
    onTestFinished(() => server.stop());
    const power = { durability: { power: [server.monitorUrl] } };
    const store = await openStore(server, power);
    expect(store.durability).toBe("power");
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const queue = await openNatsWorkQueue({ servers: server.url, name: "flushed", ...power });
    onTestFinished(() => queue.close());
    for (let step = 1; step <= 20; step += 1) {
      await writer.save(sampleCheckpoint("run-1", step, { iteration: step }));
      await queue.add({ group: "all", id: `task-${step}`, body: { step } });
    }
    await server.kill();
    await server.start();
    expect((await store.load("run-1"))?.iteration).toBe(20);
    for (let step = 1; step <= 20; step += 1) await (await queue.take())?.finish({ step });
    expect(await listOf(queue.records("all"))).toHaveLength(20);
  },
  RETRY_TIMEOUT_MS,
);

test("a store that is to outlive the loss of power is refused by a server that syncs at intervals [D2]", async ({
  skip,
}) => {
  const server = await startBroker(skip);
  const refusal = await refusalOf(openStore(server, { durability: { power: [server.monitorUrl] } }));
  expect([refusal.code, refusal.message]).toEqual([
    "broker.not_durable",
    expect.stringContaining("syncs at intervals"),
  ]);
  const elsewhere = await refusalOf(openStore(server, { durability: { power: ["http://127.0.0.1:1"] } }));
  expect(elsewhere.code).toBe("broker.not_durable");
  expect((await openStore(server)).durability).toBe("process");
});

test("a stream of that name which would lose messages is refused", async ({ skip }) => {
  const server = await startBroker(skip);
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: "other_runs", subjects: ["other.run.>"], discard: "old", max_msgs: 10 });
  const refusal = await refusalOf(openStore(server, { name: "other" }));
  expect([refusal.code, refusal.message]).toEqual(["config.invalid", expect.stringContaining("max_msgs 10")]);
  for (const name of ["", "a.b", "a b", "x".repeat(49)])
    expect(await codeOf(openStore(server, { name }))).toBe("config.invalid");
});

test("wrong credentials are refused, and no password is in the error", async ({ skip }) => {
  const server = await startBroker(skip, "--user", "keeper", "--pass", "right-password");
  const signIn = (password: string): Partial<NatsStoreOptions> => ({
    credentials: { user: "keeper", password: { reveal: () => password } },
  });
  const refusal = await refusalOf(openStore(server, signIn("wrong-password")));
  expect(refusal.code).toBe("broker.unreachable");
  expect(JSON.stringify([refusal, refusal.message, refusal.cause])).not.toContain("wrong-password");
  const inAddress = await refusalOf(openStore({ url: "nats://keeper:right-password@127.0.0.1:1" }));
  expect(inAddress.code).toBe("config.invalid");
  expect(JSON.stringify([inAddress, inAddress.message])).not.toContain("right-password");
  const store = await openStore(server, signIn("right-password"));
  expect(await store.list()).toEqual([]);
});

test("if nothing listens, opening reports it immediately", async ({ skip }) => {
  skip(brokerProblem !== undefined, brokerProblem);
  expect(await codeOf(openStore({ url: "nats://127.0.0.1:1" }))).toBe("broker.unreachable");
});

test(
  "envelopes published by one process reach the others in one order, also if the broker disconnects meanwhile [engine-bus-1]",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const open = async (pattern?: string) => {
      const bus = await openNatsEventBus({ servers: server.url, pattern });
      onTestFinished(() => bus[Symbol.asyncDispose]());
      return bus;
    };
    const [first, second, narrow] = [await open(), await open(), await open("a.*")];
    const read = (bus: typeof first, pattern: string): string[] => {
      const ids: string[] = [];
      void (async () => {
        for await (const { id } of bus.subscribe(pattern, { bufferSize: 1_000 })) ids.push(id);
      })();
      return ids;
    };
    const seen = [read(first, ">"), read(second, ">")];
    const some = read(narrow, ">");
    await Promise.all([first.publish(envelopeOf("a.ä b", "1")), second.publish(envelopeOf("b", "2"))]);
    await server.kill();
    const publishing = [first, second, narrow].map((bus, index) => bus.publish(envelopeOf("a.c", `k${index}`)));
    await server.start();
    await Promise.all(publishing);
    for (let index = 0; index < 50; index += 1) await first.publish(envelopeOf("b", `n${index}`));
    await expect.poll(() => seen.map((ids) => ids.length)).toEqual([55, 55]);
    expect(seen[0]).toEqual(seen[1]);
    await expect.poll(() => [...some].sort()).toEqual(["1", "k0", "k1", "k2"]);
  },
  RETRY_TIMEOUT_MS,
);

test("an envelope that no message of the broker can carry is refused", async ({ skip }) => {
  const server = await startBroker(skip);
  const bus = await openNatsEventBus({ servers: server.url });
  onTestFinished(() => bus[Symbol.asyncDispose]());
  expect(await codeOf(bus.publish(envelopeOf("a", "x".repeat(1_100_000))))).toBe("broker.too_large");
});

test("the folder for files of a run is accessible to its user only", async ({ skip }) => {
  const server = await startBroker(skip);
  const store = await openStore(server, { filesDirectory: join(await temporaryFolder(), "files") });
  const { folder } = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  for (const path of [folder, dirname(folder)]) expect((await stat(path)).mode & 0o777).toBe(0o700);
});
