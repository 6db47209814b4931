import { EngineError, type Envelope } from "@switchyard/contracts";
import { expect, expectTypeOf, test } from "vitest";
import { recordingHost } from "../index.ts";

const envelope: Envelope = {
  id: "1",
  type: "warning",
  subject: "engine.run.r.session.a.warning",
  time: "2026-01-01T00:00:00.000Z",
  attempt: 1,
  headers: {},
  payload: { message: "careful" },
};
const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

test("all calls to the host are recorded in order", async () => {
  const host = recordingHost();
  await host.publish(envelope);
  await host.publish({ ...envelope, id: "2", type: "run_start", payload: { resumed: false } });
  await host.checkpoint({ execId: "r", board: { vars: {} }, timestamp: "" });
  await host.reportUsage(usage);
  await host.reportUsage(usage);
  expect(host.types()).toEqual(["warning", "run_start"]);
  expectTypeOf(host.ofType("warning")[0]?.payload.message).toEqualTypeOf<string | undefined>();
  expect(host.ofType("warning").map((found) => found.id)).toEqual(["1"]);
  expect([host.checkpoints.length, host.usages.length, host.totalUsage]).toEqual([
    1,
    2,
    { inputTokens: 2, outputTokens: 4, totalTokens: 6 },
  ]);
});

test("questions are rejected unless an answer is configured", async () => {
  const silent = recordingHost();
  expect(
    EngineError.is(await silent.askUser({ parts: [] }).catch((error: unknown) => error), "prompt.unavailable"),
  ).toBe(true);
  const host = recordingHost({ askUser: ({ source }) => ({ parts: [{ type: "text", text: `to ${source}` }] }) });
  expect(await host.askUser({ parts: [], source: "step" })).toEqual({ parts: [{ type: "text", text: "to step" }] });
  expect([silent.prompts.length, host.prompts.length]).toEqual([1, 1]);
});

test("an unanswered question ends with its signal", async () => {
  const host = recordingHost({ askUser: () => new Promise(() => {}) });
  const controller = new AbortController();
  const reason = new Error("enough");
  const asking = host.askUser({ parts: [] }, { signal: controller.signal });
  controller.abort(reason);
  await expect(asking).rejects.toBe(reason);
});

test("failures can be set and removed", async () => {
  const failure = new Error("no space");
  const host = recordingHost({ publishFailure: failure, checkpointFailure: failure, usageFailure: failure });
  await expect(host.publish(envelope)).rejects.toBe(failure);
  await expect(host.checkpoint({ execId: "r", board: { vars: {} }, timestamp: "" })).rejects.toBe(failure);
  await expect(host.reportUsage(usage)).rejects.toBe(failure);
  expect([host.envelopes.length, host.checkpoints.length, host.usages.length]).toEqual([0, 0, 1]);
  host.options.publishFailure = undefined;
  await host.publish(envelope);
  expect(host.envelopes).toHaveLength(1);
});

test("the first interrupt is kept and wakes waiters", async () => {
  const host = recordingHost();
  const signal = new AbortController().signal;
  const waiting = host.interrupts()?.receive(signal);
  expect([host.interrupt({ cause: "user_cancel" }), host.interrupt({ cause: "custom" })]).toEqual([true, false]);
  expect([await waiting, host.interrupts()?.tryReceive()]).toEqual([
    { cause: "user_cancel" },
    { cause: "user_cancel" },
  ]);
  expect(
    recordingHost({ interrupt: { cause: "custom" } })
      .interrupts()
      ?.tryReceive(),
  ).toEqual({ cause: "custom" });
  expect(await recordingHost().interrupts()?.receive(AbortSignal.abort())).toBeUndefined();
});
