import { createClient } from "@switchyard/client";
import { expect, test } from "vitest";
import type { ServedRun } from "../src/index.ts";
import { toRecord } from "./call-api.ts";
import { ASK, answering, ask, DONE, openServer } from "./open-server.ts";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("an observer receives each run with the caller's span", async () => {
  const observed: (ServedRun & { types: string[] })[] = [];
  const server = await openServer(
    answering(() => DONE),
    {
      observe: (run) => {
        const types: string[] = [];
        observed.push({ ...run, types });
        return {
          async publish({ type }) {
            types.push(type);
            throw new Error("It is nobody's but its own.");
          },
        };
      },
    },
  );
  expect((await ask(server)).status).toBe(200);
  const { runs } = createClient({ url: server.url });
  for (const traceparent of [TRACEPARENT, "x".repeat(55)]) {
    const answer = await fetch(`${server.url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent },
      body: JSON.stringify({ input: ASK }),
    });
    const { run_id: runId } = toRecord(await answer.json());
    expect((await runs.wait(String(runId))).status).toBe("completed");
  }
  expect(observed.map(({ engine, traceparent }) => [engine, traceparent])).toEqual([
    ["served", undefined],
    ["served", TRACEPARENT],
    ["served", undefined],
  ]);
  for (const { types } of observed) expect([types[0], types.at(-1)]).toEqual(["run_start", "run_end"]);
});
