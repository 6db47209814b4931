import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { expect, onTestFinished, test } from "vitest";
import { openNatsStore } from "../src/nats/index.ts";
import { startProxy } from "./broker-proxy.ts";
import { seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord } from "./run-samples.ts";

test("the last events of a long run are found among all others, wherever they begin", async ({ skip }) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const proxy = await startProxy(server);
  const open = async (servers: string) => await openNatsStore({ servers, filesDirectory: await temporaryFolder() });
  const [store, reader] = [await open(server.url), await open(proxy.url)];
  onTestFinished(() => Promise.all([store.close(), reader.close()]).then(() => undefined));
  const [writer, other] = [
    await store.create(sampleRecord("run-1"), SAMPLE_REQUEST),
    await store.create(sampleRecord("run-2"), SAMPLE_REQUEST),
  ];
  let last = 0;
  for (let turn = 0; turn < 400; turn += 1) {
    const count = 1 + (turn % 4);
    await writer.append(sampleEvents(last + 1, last + count));
    last += count;
    if (turn % 7 === 0) await other.append(sampleEvents(turn / 7 + 1, turn / 7 + 1));
    if (turn % 50 === 0) await writer.save(sampleCheckpoint("run-1", `turn ${turn}`));
  }
  const sentFor = async (after: number): Promise<number> => {
    const before = proxy.bytesSent();
    const expected = Array.from({ length: Math.max(0, last - after) }, (_, index) => after + index + 1);
    expect(await seqsOf(reader.events("run-1", after))).toEqual(expected);
    return proxy.bytesSent() - before;
  };
  const all = await sentFor(0);
  for (const after of [1, 255, 256, 257, 258, 500, 733, last - 2, last + 5]) await sentFor(after);
  // Clients that follow a run request its events repeatedly.
  expect(await sentFor(last - 1)).toBeLessThan(all / 10);
  expect(await sentFor(last)).toBeLessThan(all / 50);
});
