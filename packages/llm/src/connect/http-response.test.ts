import { expect, test } from "vitest";
import { HttpResponse } from "./http-response.ts";
import { PlainHeaders } from "./plain-headers.ts";

const HEAD = {
  url: "http://127.0.0.1/x",
  status: 200,
  statusText: "OK",
  headers: new PlainHeaders({ "content-type": "application/json" }),
};

function bodyOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

test("an answer is read piece by piece, as it came", async () => {
  const body = bodyOf("piece");
  const answer = new HttpResponse(body, HEAD);
  expect(answer).toMatchObject({ ...HEAD, ok: true, redirected: false, type: "basic", bodyUsed: false });
  expect(answer.body).toBe(body);
  const { value } = (await answer.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toBe("piece");
});

test("a response is read completely in each way that fetch supports, once", async () => {
  const text = '{"a":1}';
  const answerOf = (): HttpResponse => new HttpResponse(bodyOf(text), HEAD);
  expect(await answerOf().text()).toBe(text);
  expect(await answerOf().json()).toEqual({ a: 1 });
  expect(Buffer.from(await answerOf().arrayBuffer()).toString()).toBe(text);
  const blob = await answerOf().blob();
  expect([blob.type, await blob.text()]).toEqual(["application/json", text]);
  const form = new PlainHeaders({ "content-type": "application/x-www-form-urlencoded" });
  expect((await new HttpResponse(bodyOf("a=1"), { ...HEAD, headers: form }).formData()).get("a")).toBe("1");
  const answer = answerOf();
  const copy = answer.clone();
  expect([await copy.text(), await answer.text()]).toEqual([text, text]);
  expect(answer.bodyUsed).toBe(true);
  await expect(answer.text()).rejects.toThrow(TypeError);
});

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [404, false],
])("an answer with status %i is good: %s", (status, ok) => {
  expect(new HttpResponse(null, { ...HEAD, status }).ok).toBe(ok);
});

test("a response without a body has an empty text", async () => {
  const answer = new HttpResponse(null, { ...HEAD, status: 204 });
  expect(answer.body).toBeNull();
  expect(await answer.text()).toBe("");
});
