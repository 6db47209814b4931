import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Envelope } from "@switchyard/contracts";
import { createEnvelope, defineEngine } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { expect, onTestFinished, test } from "vitest";
import { call, create, untilStatus } from "./call-api.ts";
import { openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";
import { counted, type Sent, seqsOf, watch } from "./watch-run.ts";

/** Returns the stored events of a run. */
async function storedOf(state: string, runId: string): Promise<Envelope[]> {
  const stored: Envelope[] = [];
  for await (const envelope of openFileStore({ directory: state }).events(runId)) stored.push(envelope);
  return stored;
}

interface Talk {
  readonly count: number;
  readonly characters: number;
  readonly begin: Promise<void>;
  /** Awaited after each event. */
  readonly after?: (number: number) => Promise<void>;
}

/**
 * Creates an engine that publishes `count` deltas, each followed by an event of `characters` characters. It starts once
 * `begin` resolves.
 */
function talking({ count, characters, begin, after }: Talk) {
  return defineEngine(
    async (run, host, board) => {
      const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
      await begin;
      for (let number = 1; number <= count; number++) {
        await host.publish(createEnvelope("assistant_text_delta", { type: "token", content: `${number}` }, marks));
        await host.publish(createEnvelope("step_start", { step: "x".repeat(characters) }, marks));
        await after?.(number);
      }
      const { SESSION_RESULT } = await import("@switchyard/contracts");
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "said" });
    },
    { name: "served" },
  );
}

/** Synchronises an engine with the reader of its events. */
function pacer() {
  const live = gate();
  let [read, onRead] = [0, (): void => undefined];
  return {
    live: live.opened,
    note: ({ data }: Sent): void => {
      live.open();
      if (data["type"] === "step_start") read += 1;
      onRead();
    },
    caughtUp: async (number: number): Promise<void> => {
      while (read < number) {
        await new Promise<void>((resolve) => {
          onRead = resolve;
        });
      }
    },
  };
}

test("a client that starts at any position gets every event once and in order [D8]", async () => {
  const blocked = gate();
  const reached = gate();
  const server = await openServer(
    stepEngine({
      steps: 40,
      before: async (step) => {
        if (step !== 20) return;
        reached.open();
        await blocked.opened;
      },
    }),
    { concurrency: 1 },
  );
  const runId = await create(server);
  const fromBeginning = watch(server, runId);
  await reached.opened;
  const fromMiddle = watch(server, runId);
  const some = await storedOf(server.state, runId);
  const half = some.at(-1)?.seq ?? 0;
  const late = watch(server, runId, { lastEventId: `${runId}.${half}` });
  blocked.open();
  const streams = await Promise.all([fromBeginning, fromMiddle, late]);
  streams.push(await watch(server, runId));
  const stored = await storedOf(server.state, runId);
  expect(stored.length).toBeGreaterThan(80);
  for (const [index, events] of streams.entries()) {
    const from = index === 2 ? half : 0;
    expect(seqsOf(events)).toEqual(counted(stored.length - from, from + 1));
    const numbered = events.filter(({ id }) => id !== undefined);
    expect(numbered.map(({ data }) => data)).toEqual(stored.slice(from));
    expect(numbered.map(({ id }) => id)).toEqual(stored.slice(from).map(({ seq }) => `${runId}.${seq}`));
    expect(events.at(-1)).toMatchObject({ name: "end", data: { run_id: runId, status: "completed" } });
  }
});

test("a client that reconnects repeatedly with the last id misses and repeats nothing", async () => {
  const server = await openServer(stepEngine({ steps: 60 }));
  const runId = await create(server);
  const got: Sent[] = [];
  for (let isOver = false; !isOver; ) {
    const leaving = new AbortController();
    let count = 0;
    const last = got.findLast(({ id }) => id !== undefined)?.id;
    const events = await watch(server, runId, {
      lastEventId: last,
      signal: leaving.signal,
      onEvent: () => {
        count += 1;
        if (count === 7) leaving.abort();
      },
    });
    got.push(...events);
    isOver = events.some(({ name }) => name === "end");
  }
  expect(seqsOf(got)).toEqual(counted((await storedOf(server.state, runId)).length));
});

test("increments are sent only live, stored events have an id", async () => {
  const begin = gate();
  const reader = pacer();
  const count = 20;
  const server = await openServer(talking({ count, characters: 1, begin: begin.opened, after: reader.caughtUp }));
  const runId = await create(server);
  const watching = watch(server, runId, { onEvent: reader.note });
  await reader.live;
  begin.open();
  const events = await watching;
  const increments = events.filter(({ data }) => data["type"] === "assistant_text_delta");
  const payloads = increments.map(({ data }) => JSON.stringify(data["payload"]));
  // Deltas are only sent once the client has caught up with the log.
  expect(payloads.length).toBeGreaterThan(1);
  const expected = counted(payloads.length, count - payloads.length + 1);
  expect(payloads).toEqual(expected.map((number) => JSON.stringify({ type: "token", content: `${number}` })));
  for (const { id } of increments) expect(id).toBeUndefined();
  const later = await watch(server, runId);
  expect(later.filter(({ data }) => data["type"] === "assistant_text_delta")).toEqual([]);
});

test("ids of another run, malformed ids and unsent ids are rejected", async () => {
  const server = await openServer(stepEngine());
  const [runId, other] = [await create(server), await create(server)];
  for (const id of [runId, other]) await untilStatus(server, id, { status: "completed" });
  const last = (await storedOf(server.state, runId)).length;
  for (const id of [`${other}.1`, "1", `${runId}.x`, `${runId}.-1`, `${runId}.${last + 1}`, `${runId}.1e3`]) {
    const answer = await call(server, `GET /v1/runs/${runId}/events`, { headers: { "last-event-id": id } });
    expect([id, answer.status, answer.body["code"]]).toEqual([id, 400, "server.bad_parameter"]);
  }
  const complete = await watch(server, runId, { lastEventId: `${runId}.${last}` });
  expect(complete.map(({ name }) => name)).toEqual(["end"]);
  expect((await call(server, "GET /v1/runs/nobody/events")).status).toBe(404);
  const head = await fetch(`${server.url}/v1/runs/${runId}/events`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
});

test("a client that does not read is dropped without affecting others, and can reconnect [D13]", async () => {
  const begin = gate();
  const count = 400;
  const reader = pacer();
  const server = await openServer(talking({ count, characters: 50_000, begin: begin.opened, after: reader.caughtUp }), {
    streams: { maxWaitingBytes: 512 * 1024 },
  });
  const runId = await create(server);
  const slow = connect(server.port, "127.0.0.1");
  onTestFinished(() => void slow.destroy());
  slow.on("error", () => undefined);
  await once(slow, "connect");
  slow.write(`GET /v1/runs/${runId}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  await once(slow, "readable");
  const fast = watch(server, runId, { onEvent: reader.note });
  await reader.live;
  begin.open();
  const events = await fast;
  expect(seqsOf(events)).toEqual(counted((await storedOf(server.state, runId)).length));
  expect(events.at(-1)?.name).toBe("end");
  const metrics = await call(server, "GET /metrics");
  expect(metrics.body["text"]).toContain("switchyard_event_streams_dropped 1\n");
  // The client can reconnect and continue after the last event that it read.
  let text = "";
  for await (const piece of slow) text += String(piece);
  expect(text.length).toBeLessThan(20_000_000);
  const ids = [...text.matchAll(/^id: (\S+)\ndata: .*\n\n/gmu)].map(([, id]) => id);
  const rest = await watch(server, runId, { lastEventId: ids.at(-1) });
  expect(seqsOf(rest)[0]).toBe(ids.length + 1);
  expect(seqsOf(rest).at(-1)).toBe(seqsOf(events).at(-1));
});

test("a waiting client gets heartbeats, and a notice when the run is deleted", async () => {
  const blocked = gate();
  const server = await openServer(stepEngine({ before: () => blocked.opened }), {
    concurrency: 1,
    streams: { heartbeatMs: 10 },
  });
  onTestFinished(blocked.open);
  await create(server);
  const waiting = await create(server);
  const beaten = gate();
  const watching = watch(server, waiting, { onComment: beaten.open });
  await beaten.opened;
  expect((await call(server, `DELETE /v1/runs/${waiting}`)).status).toBe(204);
  expect(await watching).toMatchObject([{ name: "deleted", data: { run_id: waiting } }]);
});

test("streams per caller are limited, and those of a queued run end at shutdown", async () => {
  const blocked = gate();
  const server = await openServer(stepEngine({ steps: 1, before: () => blocked.opened }), {
    concurrency: 1,
    streams: { maxPerOwner: 2, heartbeatMs: 10 },
  });
  const [working, waiting] = [await create(server), await create(server)];
  const beaten = gate();
  const streams = [watch(server, working), watch(server, waiting, { onComment: beaten.open })];
  await beaten.opened;
  const refused = await call(server, `GET /v1/runs/${waiting}/events`);
  expect(refused).toMatchObject({ status: 429, body: { code: "server.too_many_streams", limit: 2 } });
  const drained = server.drain();
  blocked.open();
  const [ofWorking, ofWaiting] = await Promise.all(streams);
  expect(ofWorking?.at(-1)).toMatchObject({ name: "end", data: { status: "interrupted" } });
  expect(ofWaiting).toMatchObject([{ name: "draining", data: { run_id: waiting } }]);
  await drained;
});

test("a damaged log is reported after its readable events", async () => {
  const server = await openServer(stepEngine());
  const runId = await create(server);
  await untilStatus(server, runId, { status: "completed" });
  const count = (await storedOf(server.state, runId)).length;
  await appendFile(join(server.state, "runs", runId, "events.jsonl"), "not an event\n");
  const events = await watch(server, runId);
  expect(seqsOf(events)).toEqual(counted(count));
  expect(events.at(-1)).toMatchObject({ name: "problem", data: { code: "run.malformed_record" } });
});
