import { EngineError, type Envelope } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  decodeStreamDelta,
  emitStreamDelta,
  emitStreamToken,
  emitStreamToolCall,
  emitStreamToolResult,
  isStreamDelta,
} from "../index.ts";

const marks = { runId: "run.1", actor: "coder.node.plan", attempt: 1, now: () => 0, createId: () => "id" };

async function codeOf(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => "none",
    (error: unknown) => (EngineError.is(error) ? error.code : String(error)),
  );
}

function decode(payload: unknown): unknown {
  const envelope = { payload };
  const isEnvelope = (value: { payload: unknown }): value is Pick<Envelope, "payload"> => "payload" in value;
  return isEnvelope(envelope) ? decodeStreamDelta(envelope) : undefined;
}

test("increments are published on the stream subject with headers for run, agent and node [engine-emit-stream-5] [engine-emit-stream-6] [engine-emit-stream-7]", async () => {
  const host = recordingHost();
  await emitStreamToken(host, "a", marks);
  await emitStreamToolCall(
    host,
    { id: "1", name: "shell", arguments: { command: "ls" } },
    { ...marks, actor: "coder" },
  );
  await emitStreamToolResult(
    host,
    { tool_call_id: "1", content: "ok", is_error: false },
    { ...marks, actor: "coder.iter2" },
  );
  expect(host.envelopes.map(({ subject }) => subject)).toEqual([
    "engine.run.run_1.stream.coder_node_plan.delta",
    "engine.run.run_1.stream.coder.delta",
    "engine.run.run_1.stream.coder_iter2.delta",
  ]);
  expect(host.envelopes.every(({ subject }) => isStreamDelta(subject))).toBe(true);
  expect(host.envelopes.map(({ headers }) => headers)).toEqual([
    { run_id: "run.1", agent_id: "coder", node_id: "plan" },
    { run_id: "run.1", agent_id: "coder" },
    { run_id: "run.1", agent_id: "coder" },
  ]);
});

test("emitted increments are decoded to the same value [engine-stream-delta-2] [engine-stream-delta-3] [engine-stream-delta-4]", async () => {
  const host = recordingHost();
  await emitStreamToken(host, "a", marks);
  await emitStreamToolCall(host, { id: "1", name: "shell", arguments: '{"command":"ls"}' }, marks);
  await emitStreamToolResult(host, { tool_call_id: "1", name: "shell", content: "", cancelled: true }, marks);
  expect(host.envelopes.map((envelope) => decodeStreamDelta(envelope))).toEqual([
    { type: "token", content: "a" },
    { type: "tool_call", id: "1", name: "shell", arguments: '{"command":"ls"}' },
    { type: "tool_result", tool_call_id: "1", name: "shell", content: "", cancelled: true },
  ]);
});

test("an incomplete increment is refused before it is published, an empty token is not [engine-emit-stream-2] [engine-emit-stream-3] [engine-emit-stream-4]", async () => {
  const host = recordingHost();
  expect(await codeOf(emitStreamToolCall(host, { id: "", name: "shell" }, marks))).toBe("stream.invalid_delta");
  expect(await codeOf(emitStreamToolCall(host, { id: "1", name: "" }, marks))).toBe("stream.invalid_delta");
  expect(await codeOf(emitStreamToolResult(host, { tool_call_id: "", content: "" }, marks))).toBe(
    "stream.invalid_delta",
  );
  expect(host.envelopes).toEqual([]);
  await emitStreamToken(host, "", marks);
  expect(host.envelopes).toHaveLength(1);
});

test("an increment of any type can be emitted, also of an unknown one, but not without a type [engine-emit-stream-1]", async () => {
  const host = recordingHost();
  const branch = { type: "parallel_branch_accept", fork_id: "f", branch_id: "b" };
  await emitStreamDelta(host, branch, marks);
  await emitStreamDelta(host, { type: "token", content: "a", more: 1 }, marks);
  await emitStreamDelta(host, { type: "tool_call", id: "1", name: "shell" }, marks);
  await emitStreamDelta(host, { type: "tool_result", tool_call_id: "1", content: "ok" }, marks);
  expect(host.types()).toEqual(["stream_delta", "assistant_text_delta", "tool_call_start", "tool_call_end"]);
  expect(host.envelopes.every(({ subject }) => isStreamDelta(subject))).toBe(true);
  expect(host.envelopes[0]?.payload).toEqual(branch);
  expect(host.envelopes.map((envelope) => decodeStreamDelta(envelope))[0]).toEqual({
    type: "unknown",
    kind: "parallel_branch_accept",
    payload: branch,
  });
  for (const broken of [{ type: "" }, { type: "tool_call", id: "1", name: "" }, { type: "token", content: 1 }]) {
    expect(await codeOf(emitStreamDelta(host, broken, marks))).toBe("stream.invalid_delta");
  }
  expect(host.envelopes).toHaveLength(4);
});

test("an error of publishing reaches the caller, and without a publisher nothing happens [engine-emit-stream-8]", async () => {
  const failure = new Error("no space");
  await expect(emitStreamToken(recordingHost({ publishFailure: failure }), "a", marks)).rejects.toBe(failure);
  expect(await codeOf(emitStreamToken(undefined, "a", marks))).toBe("none");
});

test("an empty payload or one that is not a JSON object is refused [engine-decode-stream-delta-1]", () => {
  for (const payload of [
    undefined,
    null,
    "",
    "{",
    "[]",
    [],
    1,
    {},
    { type: "" },
    { type: 1 },
    { type: "token", content: 1 },
  ]) {
    expect(() => decode(payload), JSON.stringify(payload)).toThrow(EngineError);
  }
  expect(decode('{"type":"token","content":"a"}')).toEqual({ type: "token", content: "a" });
});

test("additional fields and unknown types are tolerated, and the subject does not matter [engine-stream-delta-1] [engine-stream-delta-5] [engine-decode-stream-delta-2]", () => {
  expect(decode({ type: "token", content: "a", more: 1 })).toEqual({ type: "token", content: "a", more: 1 });
  expect(decode({ type: "tool_result", tool_call_id: "1" })).toEqual({
    type: "tool_result",
    tool_call_id: "1",
    content: "",
  });
  const branch = { type: "parallel_branch_accept", fork_id: "f" };
  expect(decode(branch)).toEqual({ type: "unknown", kind: "parallel_branch_accept", payload: branch });
});
