import { headers } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { publishToStream, readFromStream } from "./stream-requests.ts";

/** Sends requests to a broker that answers each with this response. */
function answering(response: unknown) {
  const data = Buffer.from(JSON.stringify(response));
  const reply = {
    subject: "reply",
    sid: 1,
    data,
    respond: () => true,
    json: <T>(): T => JSON.parse(data.toString()),
    string: () => data.toString(),
  };
  return { send: async () => reply };
}

function publish(response: unknown): Promise<number> {
  return publishToStream(answering(response), "subject", { data: "", timeoutMs: 1, createHeaders: () => headers() });
}

function read(response: unknown) {
  return readFromStream(answering(response), { stream: "s", query: {}, timeoutMs: 1 });
}

test("an error response is an error, even if it names neither a code nor a reason", async () => {
  const full = { code: 503, err_code: 10_077, description: "maximum messages exceeded" };
  await expect(publish({ error: full, stream: "s", seq: 0 })).rejects.toMatchObject({
    ...{ name: "JetStreamApiError", code: 10_077, status: 503, message: "maximum messages exceeded" },
  });
  for (const error of [{ code: 400 }, {}, "failed", null]) {
    await expect(publish({ error, stream: "s", seq: 3 })).rejects.toMatchObject({ name: "JetStreamApiError", code: 0 });
    await expect(read({ error })).rejects.toMatchObject({ name: "JetStreamApiError", code: 0 });
  }
  expect(await read({ error: { code: 404, err_code: 10_037, description: "no message found" } })).toBeUndefined();
});

test("a response without a valid sequence number is an error", async () => {
  expect(await publish({ stream: "s", seq: 1 })).toBe(1);
  const message = { subject: "subject", time: "2026-01-01T00:00:00Z" };
  expect(await read({ message: { ...message, seq: 1 } })).toMatchObject({ seq: 1 });
  for (const seq of [0, -1, "1", null, undefined]) {
    await expect(publish({ stream: "s", seq })).rejects.toThrow("no sequence number");
    await expect(read({ message: { ...message, seq } })).rejects.toThrow("contains no message");
  }
});
