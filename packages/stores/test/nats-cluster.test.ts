import { connect } from "@nats-io/transport-node";
import {
  type ClusterWorker,
  type DeclinedRun,
  EngineError,
  type RunChange,
  type RunCluster,
  type RunControl,
} from "@switchyard/contracts";
import { startNatsServer } from "@switchyard/nats-server";
import { expect, onTestFinished, test } from "vitest";
import { openNatsCluster } from "../src/nats/index.ts";
import { describeWithBroker, useBroker } from "./broker.ts";
import { temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

const MANY = 100;
const WORKER: ClusterWorker = {
  ...{ format: 1, name: "w1", engines: ["agent"], environments: ["local"], labels: { zone: "1" } },
  ...{ version: "0.0.0", running: 0, free: 1 },
};

describeWithBroker("a cluster over NATS", () => {
  const broker = useBroker();

  /** Opens several members of one cluster. */
  async function openMembers(count: number): Promise<RunCluster[]> {
    const [filesDirectory, name] = [await temporaryFolder(), broker().createName()];
    const members: RunCluster[] = [];
    for (let index = 0; index < count; index += 1) {
      const servers = broker().server.url;
      members.push(await openNatsCluster({ servers, name, filesDirectory, leaseMs: 400 }));
    }
    onTestFinished(async () => {
      for (const member of members) await member[Symbol.asyncDispose]();
    });
    return members;
  }

  async function untilChange(changes: AsyncIterable<RunChange>, isWanted: (change: RunChange) => boolean) {
    for await (const change of changes) if (isWanted(change)) return change;
    throw new Error("the stream ended");
  }

  test("every member sees the newest state of each run, and then its changes", async () => {
    const [one, two] = await openMembers(2);
    if (one === undefined || two === undefined) throw new Error("no members");
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const writer = await one.store.create({ ...sampleRecord("r1"), status: "queued" }, SAMPLE_REQUEST);
    const held = await untilChange(two.watchRuns(stop.signal), ({ runId }) => runId === "r1");
    expect(held).toMatchObject({ record: { status: "queued" }, holder: one.token });
    const changes = two.watchRuns(stop.signal);
    const released = untilChange(changes, ({ holder }) => holder === undefined);
    await writer.release();
    expect(await released).toMatchObject({ runId: "r1", record: { status: "queued" } });
    const deleted = untilChange(two.watchRuns(stop.signal), ({ record: found }) => found === undefined);
    await one.store.delete("r1");
    expect(await deleted).toMatchObject({ runId: "r1" });
  });

  test("a watcher that starts while many runs end sees the end of each run", async () => {
    const [one, two] = await openMembers(2);
    if (one === undefined || two === undefined) throw new Error("no members");
    const ids = Array.from({ length: MANY }, (_, index) => `r${index}`);
    const writers = await Promise.all(ids.map((id) => one.store.create(sampleRecord(id), SAMPLE_REQUEST)));
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const ended = new Set<string>();
    const watching = untilChange(two.watchRuns(stop.signal), ({ runId, record }) => {
      if (record?.status === "completed") ended.add(runId);
      return ended.size === MANY;
    });
    await Promise.all(writers.map((writer) => writer.finish(sampleReport(writer.runId), { status: "completed" })));
    await watching;
    expect([...ended].sort()).toEqual([...ids].sort());
  });

  test("after a restart of the broker, a watcher sees every change of a run", async () => {
    const server = await startNatsServer();
    onTestFinished(() => server.stop());
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const options = { servers: server.url, filesDirectory: await temporaryFolder(), leaseMs: 400, onError };
    await using cluster = await openNatsCluster(options);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const changes = cluster.watchRuns(stop.signal);
    // A function that throws does not keep the others from being called.
    const failure = new Error("listener failed");
    onTestFinished(
      cluster.onReconnect(() => {
        throw failure;
      }),
    );
    let reconnects = 0;
    onTestFinished(
      cluster.onReconnect(() => {
        reconnects += 1;
      }),
    );
    const writer = await cluster.store.create(sampleRecord("r1"), SAMPLE_REQUEST);
    await untilChange(changes, ({ runId }) => runId === "r1");
    const ended = untilChange(cluster.watchRuns(stop.signal), ({ record }) => record?.status === "completed");
    await server.kill();
    const finishing = writer.finish(sampleReport("r1"), { status: "completed" });
    await server.start();
    await finishing;
    expect(await ended).toMatchObject({ runId: "r1", holder: undefined });
    expect(reconnects).toBe(1);
    expect(errors).toEqual([failure]);
  });

  test("a member follows the events that another member stores", async () => {
    const [one, two] = await openMembers(2);
    if (one === undefined || two === undefined) throw new Error("no members");
    const stop = new AbortController();
    const writer = await one.store.create(sampleRecord("r1"), SAMPLE_REQUEST);
    await writer.append(sampleEvents(1, 2));
    const seen: (number | undefined)[] = [];
    const { events: all } = await two.followEvents("r1", { afterSeq: 1, signal: stop.signal });
    const { events: fresh } = await two.followEvents("r1", { signal: stop.signal });
    await writer.append(sampleEvents(3, 3));
    for await (const { seq } of all) if (seen.push(seq) === 2) break;
    for await (const { seq } of fresh) if (seen.push(seq) === 3) break;
    expect(seen).toEqual([2, 3, 3]);
    stop.abort();
    await writer.release();
  });

  test("one member at a time leads, and another takes over when it stops", async () => {
    const [one, two] = await openMembers(2);
    if (one === undefined || two === undefined) throw new Error("no members");
    const [stopOne, stopTwo] = [new AbortController(), new AbortController()];
    onTestFinished(() => stopTwo.abort());
    const first = await one.lead(stopOne.signal);
    expect(first?.aborted).toBe(false);
    let isTwo = false;
    const second = two.lead(stopTwo.signal).then((signal) => {
      isTwo = true;
      return signal;
    });
    // The lease is renewed while its holder lives.
    await one.store.list();
    expect(isTwo).toBe(false);
    stopOne.abort();
    expect((await second)?.aborted).toBe(false);
    expect(first?.aborted).toBe(true);
  });

  test("a leader stops leading when its lease expires, although a write to the lost broker is still retried", async () => {
    const server = await startNatsServer();
    onTestFinished(() => server.stop());
    const options = { servers: server.url, filesDirectory: await temporaryFolder(), leaseMs: 400 };
    await using cluster = await openNatsCluster(options);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const lost = await cluster.lead(stop.signal);
    const stopped = new Promise((resolve) => lost?.addEventListener("abort", () => resolve("stopped")));
    await server.kill();
    const file = { path: "a.txt", content: new Uint8Array() };
    const written = cluster.putFile("r1", "snapshots", file).catch(() => "given up");
    expect(await Promise.race([stopped, written])).toBe("stopped");
    await server.start();
    await written;
  });

  test("a worker gets the run that the leader chooses for it", async () => {
    const [leader, worker] = await openMembers(2);
    if (leader === undefined || worker === undefined) throw new Error("no members");
    expect(await worker.requestRuns(WORKER, { waitMs: 50 })).toEqual([]);
    const stop = leader.answerRequests(async ({ name, labels }) => (labels["zone"] === "1" ? [`run-of-${name}`] : []));
    onTestFinished(stop);
    // A round trip of the leader's connection makes sure that the broker knows its subscription.
    await leader.store.list();
    expect(await worker.requestRuns(WORKER, { waitMs: 5_000 })).toEqual(["run-of-w1"]);
    expect(await worker.requestRuns({ ...WORKER, labels: {} }, { waitMs: 50 })).toEqual([]);
  });

  test("a worker gets as many runs in one answer as it asked for, and one run from a leader of an earlier release", async () => {
    const { server, createName } = broker();
    const name = createName();
    const opening = { servers: server.url, name, filesDirectory: await temporaryFolder(), leaseMs: 400 };
    await using leader = await openNatsCluster(opening);
    await using worker = await openNatsCluster(opening);
    const asked: number[] = [];
    const stop = leader.answerRequests(async (_, maxRuns) => {
      asked.push(maxRuns);
      return ["r1", "r2", "r3"];
    });
    await leader.store.list();
    expect(await worker.requestRuns(WORKER, { waitMs: 5_000, maxRuns: 3 })).toEqual(["r1", "r2", "r3"]);
    expect(await worker.requestRuns(WORKER, { waitMs: 5_000, maxRuns: 2 })).toEqual(["r1", "r2"]);
    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    // A worker of an earlier release sends only its description, and reads only `run_id`.
    const reply = await connection.request(`${name}.cluster.request`, JSON.stringify(WORKER));
    expect(asked).toEqual([3, 2, 1]);
    expect(reply.json()).toMatchObject({ format: 1, run_id: "r1" });
    stop();
    await leader.store.list();
    connection.subscribe(`${name}.cluster.request`, {
      callback: (_error, request) => void request.respond(JSON.stringify({ format: 1, run_id: "r4" })),
    });
    await connection.flush();
    expect(await worker.requestRuns(WORKER, { waitMs: 5_000, maxRuns: 3 })).toEqual(["r4"]);
  });

  test("the leader learns why a worker has declined a run, and ignores messages of another format", async () => {
    const { server, createName } = broker();
    const name = createName();
    const opening = { servers: server.url, name, filesDirectory: await temporaryFolder(), leaseMs: 400 };
    await using leader = await openNatsCluster(opening);
    await using worker = await openNatsCluster(opening);
    const declined: DeclinedRun[] = [];
    onTestFinished(leader.onDeclined((run) => declined.push(run)));
    await leader.store.list();
    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    for (const text of ["", "{}", '{"format":2,"run_id":"r1"}']) connection.publish(`${name}.cluster.declined`, text);
    connection.publish(`${name}.cluster.declined`, '{"format":1,"run_id":"r2","reason":"of a later release"}');
    await connection.flush();
    await expect.poll(() => declined).toEqual([{ runId: "r2", reason: "failed" }]);
    worker.declineRun({ runId: "r3", reason: "server_full" });
    await expect.poll(() => declined.slice(1)).toEqual([{ runId: "r3", reason: "server_full" }]);
  });

  test("an offer contains only the id of the run, so it cannot take a run from its worker", async () => {
    const [leader, worker, other] = await openMembers(3);
    if (leader === undefined || worker === undefined || other === undefined) throw new Error("no members");
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await leader.store.add?.({ ...sampleRecord("r1"), status: "queued" }, SAMPLE_REQUEST);
    const changes = leader.watchRuns(stop.signal);
    onTestFinished(leader.answerRequests(async () => ["r1"]));
    await leader.store.list();
    const writer = await worker.store.acquire("r1");
    onTestFinished(() => writer.release());
    await untilChange(changes, ({ holder }) => holder === worker.token);
    expect(await other.requestRuns(WORKER, { waitMs: 5_000 })).toEqual(["r1"]);
    await expect(other.store.acquire("r1")).rejects.toMatchObject({ code: "run.leased" });
  });

  test("a request that the broker does not permit is rejected immediately", async () => {
    const permissions = 'permissions: { publish: { deny: ["jobs.cluster.request"] } }';
    const users = `authorization { users = [ { user: "worker", password: "word", ${permissions} } ] }`;
    const server = await startNatsServer({ settings: users });
    onTestFinished(() => server.stop());
    await using worker = await openNatsCluster({
      ...{ servers: server.url, name: "jobs", filesDirectory: await temporaryFolder() },
      credentials: { user: "worker", password: { reveal: () => "word" } },
    });
    const asked = worker.requestRuns(WORKER, { waitMs: 60_000 });
    await expect(asked).rejects.toMatchObject({ code: "broker.refused" });
  });

  test("errors of functions that handle messages are reported", async () => {
    const { server, createName } = broker();
    const errors: unknown[] = [];
    const name = createName();
    await using leader = await openNatsCluster({
      ...{ servers: server.url, name, filesDirectory: await temporaryFolder(), leaseMs: 400 },
      onError: (error) => errors.push(error),
    });
    const failure = new Error("cannot answer");
    leader.answerRequests(() => Promise.reject(failure));
    leader.onWorker(() => {
      throw failure;
    });
    await leader.store.list();
    expect(await leader.requestRuns(WORKER, { waitMs: 50 })).toEqual([]);
    leader.announce(WORKER);
    await leader.store.list();
    await expect.poll(() => errors).toEqual([failure, failure]);
  });

  test("a worker uses only the id from an offer, regardless of its sender", async () => {
    const { server, createName } = broker();
    const name = createName();
    await using worker = await openNatsCluster({
      ...{ servers: server.url, name, filesDirectory: await temporaryFolder(), leaseMs: 400 },
    });
    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    const message = { sequence: 1, stored_at: 1, headers: {}, text: '{"record":{"run_id":"r1","owner":"other"}}' };
    connection.subscribe(`${name}.cluster.request`, {
      callback: (_error, request) => {
        request.respond(JSON.stringify({ format: 1, run_id: "r1", message }));
      },
    });
    await connection.flush();
    expect(await worker.requestRuns(WORKER, { waitMs: 5_000 })).toEqual(["r1"]);
  });

  test("a message reaches the process that executes the run, and its refusal the sender", async () => {
    const [server, worker] = await openMembers(2);
    if (server === undefined || worker === undefined) throw new Error("no members");
    const received: RunControl[] = [];
    expect(await server.sendControl("r1", { kind: "steer", text: "first" })).toBe(false);
    const writer = await worker.store.create(sampleRecord("r1"), SAMPLE_REQUEST);
    const stop = worker.receiveControl(writer, (control) => {
      if (control.kind === "answer") throw new EngineError("prompt.unknown", { promptId: control.promptId });
      received.push(control);
    });
    await worker.store.list();
    expect(await server.sendControl("r1", { kind: "steer", text: "second" })).toBe(true);
    const interrupt = { cause: "user_cancel", detail: "enough" } as const;
    expect(await server.sendControl("r1", { kind: "interrupt", interrupt })).toBe(true);
    const refused = server.sendControl("r1", {
      ...{ kind: "answer", promptId: "p1" },
      ...{ text: "yes", promptKind: "question" },
    });
    await expect(refused).rejects.toMatchObject({ code: "prompt.unknown", details: { promptId: "p1" } });
    expect(received).toEqual([
      { kind: "steer", text: "second" },
      { kind: "interrupt", interrupt },
    ]);
    stop();
    await worker.store.list();
    expect(await server.sendControl("r1", { kind: "steer", text: "third" })).toBe(false);
  });

  test("only the process that holds the lease of a run answers messages to the run", async () => {
    const [server, first, second] = await openMembers(3);
    if (server === undefined || first === undefined || second === undefined) throw new Error("no members");
    const received: string[] = [];
    const lost = await first.store.create(sampleRecord("r1"), SAMPLE_REQUEST);
    first.receiveControl(lost, () => {
      throw new EngineError("prompt.unknown", { promptId: "p1" });
    });
    const writer = await second.store.acquire("r1", { takeOver: true });
    second.receiveControl(writer, (control) => void received.push(control.kind));
    for (const member of [first, second]) await member.store.list();
    const answer = { kind: "answer", promptId: "p1", text: "yes", promptKind: "question" } as const;
    for (let count = 0; count < 5; count += 1) expect(await server.sendControl("r1", answer)).toBe(true);
    expect(received).toEqual(Array(5).fill("answer"));
  });

  test("files of a run are stored with the run, and removed with it", async () => {
    const [one, two] = await openMembers(2);
    if (one === undefined || two === undefined) throw new Error("no members");
    const large = Buffer.alloc(3 * 1024 * 1024, "x");
    await one.putFile("r1", "input.1", { path: "src/ä b.txt", content: Buffer.from("old") });
    await one.putFile("r1", "input.1", { path: "src/ä b.txt", content: Buffer.from("new") });
    await one.putFile("r1", "input.1", { path: "large.bin", content: large });
    await one.putFile("r1", "outcome.1", { path: "out.txt", content: Buffer.from("out") });
    const sizes: Record<string, number> = {};
    for await (const { path, content } of two.files("r1", "input.1")) sizes[path] = content.length;
    expect(sizes).toEqual({ "src/ä b.txt": 3, "large.bin": large.length });
    expect(Buffer.from((await two.readFile("r1", "outcome.1", "out.txt")) ?? []).toString()).toBe("out");
    expect(await two.readFile("r1", "outcome.1", "large.bin")).toBeUndefined();
    // A file that is removed leaves neither itself nor its parts; other files stay.
    for (const path of ["large.bin", "small"]) await one.putFile("r1", "snapshots", { path, content: large });
    await two.removeFiles("r1", "snapshots", "large.bin");
    expect(await one.readFile("r1", "snapshots", "large.bin")).toBeUndefined();
    expect((await one.readFile("r1", "snapshots", "small"))?.length).toBe(large.length);
    await two.removeFiles("r1", "snapshots");
    expect(await one.readFile("r1", "snapshots", "small")).toBeUndefined();
    expect((await one.readFile("r1", "input.1", "large.bin"))?.length).toBe(large.length);
    // The files of each epoch are separate.
    for (const epoch of [1, 10] as const) {
      await one.putFile("r1", `outcome.${epoch}`, { path: "out.txt", content: Buffer.from(`out ${epoch}`) });
    }
    await two.removeFiles("r1", "outcome.10");
    expect(await two.readFile("r1", "outcome.10", "out.txt")).toBeUndefined();
    expect(Buffer.from((await two.readFile("r1", "outcome.1", "out.txt")) ?? []).toString()).toBe("out 1");
    const writer = await one.store.create(sampleRecord("r1"), SAMPLE_REQUEST);
    await writer.release();
    await one.store.delete("r1");
    expect(await two.readFile("r1", "outcome.1", "out.txt")).toBeUndefined();
    expect(await two.readFile("r1", "input.1", "large.bin")).toBeUndefined();
  });
});
