import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { answer, failureOf, fakeClient, readAll } from "../../test/fake-client.ts";
import { createCassetteRedactors } from "./cassette-redactors.ts";
import { createReplayClient } from "./create-replay-client.ts";
import { parseCassette } from "./parse-cassette.ts";
import { withRecorder } from "./with-recorder.ts";

const RANDOM = "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0fJxLrUoIkM";
/** A value that only the masker can recognise. */
const KNOWN = "correct-horse-battery";
/** A value in the form of a credential, assembled here so that no file contains it. */
const SHAPED = ["sk", "ant", RANDOM].join("-");
/** A value that only its field identifies as a secret. */
const PLAIN = "plainvalue4711";

/** A request with secrets wherever one can be. */
function requestWith(secret: string): ModelRequest {
  const text = `before ${secret} after`;
  const media = {
    url: `https://me:${PLAIN}@host/a.png?X-Amz-Signature=${PLAIN}&w=1&api_key=${PLAIN}`,
    mediaType: "a/b",
  };
  return {
    provider: "openai",
    model: "m",
    messages: [
      { role: "system", parts: [{ type: "text", text }] },
      {
        role: "user",
        parts: [
          { type: "image", ...media },
          { type: "audio", data: Buffer.from(KNOWN).toString("base64"), mediaType: "audio/wav" },
          { type: "document", path: `/home/${secret}`, name: text, mediaType: "application/pdf" },
          { type: "data", value: { deep: [{ [secret]: text }] } },
          { type: "data", value: { data: secret, mediaType: "text/plain" } },
          { type: "unknown", kind: "x", value: text },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text },
          {
            type: "tool_call",
            id: "1",
            name: "shell",
            arguments: JSON.stringify({ command: text, lines: `\n${secret}\n\t${secret}` }),
          },
        ],
      },
      {
        role: "tool",
        parts: [
          {
            type: "tool_result",
            toolCallId: "1",
            name: "shell",
            content: text,
            isError: false,
            images: [{ type: "image", ...media }],
          },
        ],
      },
    ],
    tools: [{ name: "shell", description: text, parameters: { type: "object", default: { command: text } } }],
    responseFormat: { type: "json_schema", name: "x", schema: { description: text } },
    stopSequences: [text],
    metadata: { note: text, session_token: PLAIN },
    providerOptions: {
      openai: {
        headers: { "x-custom": PLAIN, authorization: [PLAIN] },
        body: { api_key: PLAIN, nested: { password: PLAIN, text }, api_keys: [PLAIN, [PLAIN]] },
        authorization: { value: PLAIN },
        credentials: { user: PLAIN, of: [{ password: [PLAIN] }] },
        extraHeaders: { whatever: PLAIN },
        extra_header: { whatever: PLAIN },
      },
    },
  };
}

function responseWith(secret: string): ModelResponse {
  const text = `it is ${secret}`;
  return answer(text, {
    id: secret,
    warnings: [text],
    raw: { secret },
    message: {
      role: "assistant",
      parts: [
        { type: "thinking", text },
        { type: "text", text },
        { type: "tool_call", id: "2", name: "shell", arguments: JSON.stringify({ text, lines: `\n${secret}\n` }) },
      ],
    },
  });
}

function failureWith(secret: string): EngineError {
  return new EngineError("llm.server_error", {
    provider: "openai",
    url: `https://host/v1?key=${PLAIN}`,
    status: 500,
    problem: `the key ${secret} failed`,
    headers: { "set-cookie": PLAIN },
  });
}

async function recorded(secret: string): Promise<string> {
  const lines: string[] = [];
  const client = withRecorder(
    fakeClient((_request, index) => {
      if (index % 2 === 1) throw failureWith(secret);
      return responseWith(secret);
    }),
    { write: (line) => lines.push(line), masker: createMasker([KNOWN]), header: { description: "planted" } },
  );
  const request = requestWith(secret);
  await client.complete(request);
  await failureOf(client.complete(request));
  await readAll(client.stream(request));
  await readAll(client.stream(request));
  for await (const event of client.stream({ ...request, maxTokens: 1 })) if (event.type === "tool_call_end") break;
  return `${lines.join("\n")}\n`;
}

test.each([
  ["a value that the masker knows", KNOWN],
  ["what has the form of a credential", SHAPED],
])("%s is not in a cassette, nor is any other content of its field", async (_what, secret) => {
  const text = await recorded(secret);
  expect(parseCassette(text).calls).toHaveLength(5);
  for (const planted of [secret, PLAIN, Buffer.from(KNOWN).toString("base64")]) expect(text).not.toContain(planted);
  expect(text).toContain("before ***REDACTED*** after");
  expect(text).toContain("w=1");
  // Neither in the pieces of a stream, put together or not.
  for (let from = 0; from + 6 <= secret.length; from += 1) expect(text).not.toContain(secret.slice(from, from + 6));
});

test("repeated headers are in no failure and in no response", async () => {
  const headers = {
    "x-tenant": "tenant-4711-north",
    "x-gateway-token": "Bearer gateway-0815-key",
    "x-title": "the engine",
  };
  const request: ModelRequest = { model: "m", messages: [], providerOptions: { openai: { headers } } };
  const text = "tenant-4711-north gateway-0815-key the engine";
  const lines: string[] = [];
  const client = fakeClient((_request, index) => {
    if (index === 0) throw new EngineError("llm.invalid_request", { provider: "openai", problem: text });
    return answer(text);
  });
  const recorder = withRecorder(client, { write: (line) => lines.push(line) });
  await failureOf(recorder.complete(request));
  const { message } = await recorder.complete(request);
  const next = { ...request, messages: [message] };
  await recorder.complete(next);
  const [, failure = "", response = ""] = lines;
  expect(failure).not.toMatch(/tenant-4711|gateway-0815|the engine/);
  // A value that neither a name nor a form identifies as a secret is an ordinary word of a response.
  expect(response).toContain("tenant-4711-north ***REDACTED*** the engine");
  expect(lines.join()).not.toContain("gateway-0815");
  const replay = createReplayClient(parseCassette(lines.join("\n")), { mode: "strict" });
  await failureOf(replay.complete(request));
  await replay.complete(request);
  await replay.complete(next);
  replay.assertFinished();
});

test("the same requests play again, though the recording knows no secrets", async () => {
  const cassette = parseCassette(await recorded(KNOWN));
  const client = createReplayClient(cassette, { mode: "strict", masker: createMasker([KNOWN]) });
  const request = requestWith(KNOWN);
  expect((await client.complete(request)).id).toBe("***REDACTED***");
  expect(await failureOf(client.complete(request))).toMatchObject({ code: "llm.server_error" });
  const other = createReplayClient(cassette, { mode: "strict", masker: createMasker([KNOWN]) });
  expect(await failureOf(other.complete(requestWith("something else")))).toMatchObject({ code: "cassette.mismatch" });
});

test("signatures and bytes that only resemble a credential stay as they are", async () => {
  const data = `${SHAPED}==`;
  const providerMetadata = { anthropic: { signature: SHAPED } };
  const request: ModelRequest = {
    model: "m",
    messages: [
      { role: "user", parts: [{ type: "image", data, mediaType: "image/png" }] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "hm", providerMetadata },
          { type: "redacted_thinking", data },
        ],
      },
    ],
  };
  const lines: string[] = [];
  await withRecorder(
    fakeClient(() => answer("x")),
    { write: (line) => lines.push(line) },
  ).complete(request);
  expect(parseCassette(lines.join("\n")).calls[0]?.request).toEqual(request);
});

describe("addresses", () => {
  test.each([
    ["see https://host/a?b=1&c=2#d=3.", "see https://host/a?b=1&c=2#d=3."],
    ["https://host/a?key=1&b=2", "https://host/a?key=***REDACTED***&b=2"],
    ["https://host/#access_token=1&b=2 next", "https://host/#access_token=***REDACTED***&b=2 next"],
    ["(https://bucket/x?X-Goog-Signature=ab%2F, b)", "(https://bucket/x?X-Goog-Signature=***REDACTED*** b)"],
    ["https://name@host/ and https://name:word@host/", "https://name@host/ and https://name:***REDACTED***@host/"],
    ["HTTPS://Name@host/a?API_KEY=1", "HTTPS://Name@host/a?API_KEY=***REDACTED***"],
    ["wss://host/a?token=1, ssh://git@host/a", "wss://host/a?token=***REDACTED*** ssh://git@host/a"],
    ['{"text":"\\nhttps://host/?token=1"}', '{"text":"\\nhttps://host/?token=***REDACTED***"}'],
    [
      "https://host/?to=%2Fa%3Fapi_key%3D1%26b%3D2&c=https%253A%2F%2Fh%253Fb%253D1%2526token%253D2%2526d",
      "https://host/?to=%2Fa%3Fapi_key%3D***REDACTED***%26b%3D2&c=https%253A%2F%2Fh%253Fb%253D1%2526token%253D***REDACTED***%2526d",
    ],
    ["mail me@host.com, file:///a?key=1", "mail me@host.com, file:///a?key=***REDACTED***"],
  ])("%j becomes %j", (text, scrubbed) => {
    const { content } = createCassetteRedactors();
    expect(content.text(text)).toBe(scrubbed);
    expect(content.text(scrubbed)).toBe(scrubbed);
  });
});

test("names of secrets in a schema are field names, not values", async () => {
  const schema = { type: "object", properties: { password: { type: "string", description: "A new one." } } };
  const request: ModelRequest = {
    model: "m",
    messages: [],
    responseFormat: { type: "json_schema", name: "x", schema },
  };
  const lines: string[] = [];
  await withRecorder(
    fakeClient(() => answer("x")),
    { write: (line) => lines.push(line) },
  ).complete(request);
  expect(parseCassette(lines.join("\n")).calls[0]?.request).toEqual(request);
});

test("a secret that arrives in pieces is not in the recording of the pieces", async () => {
  const pieces = [...SHAPED].map((text): StreamEvent => ({ type: "text_delta", textId: "0", text }));
  const broken = new EngineError("llm.stream_broken", { problem: "gone" });
  const client = fakeClient(() => answer("x"));
  const lines: string[] = [];
  const recorder = withRecorder(
    {
      ...client,
      async *stream() {
        yield { type: "text_start", textId: "0" };
        yield* pieces;
        throw broken;
      },
    },
    { write: (line) => lines.push(line) },
  );
  await readAll(recorder.stream({ model: "m", messages: [] }));
  const text = lines.join("\n");
  expect(text).not.toContain(RANDOM.slice(0, 6));
  expect(parseCassette(text).calls[0]).toMatchObject({
    delivered: [{ type: "text", text: "***REDACTED***" }],
    error: { code: "llm.stream_broken" },
  });
});

describe("a credential announced by the text before it", () => {
  const ANNOUNCED = ["wE3rT6yU8i", "QpL1kJ4hG7fD0sAz"].join("");
  const TEXTS = [
    `error: token=${ANNOUNCED}`,
    `Authorization: Bearer ${ANNOUNCED}`,
    `acme --api-key ${ANNOUNCED} run`,
    `{"client_secret": "${ANNOUNCED}"}`,
    `https://host.example/?access_token=${ANNOUNCED}`,
    `cookie: session=${ANNOUNCED}; Path=/`,
  ];

  test.each(TEXTS)("%s is in no cassette, wherever it appears, and the recording plays again", async (text) => {
    const lines: string[] = [];
    const call = { type: "tool_call" as const, id: "1", name: "shell", arguments: JSON.stringify({ command: text }) };
    const client = fakeClient((_request, index) => {
      if (index === 1) throw new EngineError("llm.invalid_request", { provider: "openai", problem: text });
      return answer(text, { message: { role: "assistant", parts: [{ type: "text", text }, call] } });
    });
    const recorder = withRecorder(client, { write: (line) => lines.push(line) });
    const request: ModelRequest = {
      ...{ model: "m", metadata: { note: text } },
      messages: [{ role: "user", parts: [{ type: "text", text }] }],
    };
    await recorder.complete(request);
    await failureOf(recorder.complete(request));
    await readAll(recorder.stream(request));
    expect(lines.join("\n")).not.toContain(ANNOUNCED);
    expect(lines.join("\n")).toContain("***REDACTED***");
    const replay = createReplayClient(parseCassette(lines.join("\n")), { mode: "strict" });
    await replay.complete(request);
    await failureOf(replay.complete(request));
    await readAll(replay.stream(request));
    replay.assertFinished();
  });

  test("argument names such as `key` alone do not mark a value as a secret", async () => {
    const text = JSON.stringify({ key: "Enter", page_token: "next", author: "me", tokens: 12, auth: "none" });
    const lines: string[] = [];
    const recorder = withRecorder(
      fakeClient(() =>
        answer("x", {
          message: { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "press", arguments: text }] },
        }),
      ),
      { write: (line) => lines.push(line) },
    );
    await recorder.complete({ model: "m", messages: [] });
    expect(parseCassette(lines.join("\n")).calls[0]?.response?.message.parts).toMatchObject([{ arguments: text }]);
  });
});
