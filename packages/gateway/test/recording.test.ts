import { createNormaliser } from "@switchyard/llm/cassette";
import { createMasker, secret } from "@switchyard/secrets";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseModelCalls } from "../src/index.ts";
import { anthropicAt, KEY, messagesBody, type OpenedGateway, openGateway } from "./open-gateway.ts";
import { MESSAGE, openProvider, sendJson } from "./open-provider.ts";

const PASSWORD: string = ["correct", "horse", "battery"].join("-");

function eventOf(data: { type: string; [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function textStream(pieces: readonly string[]): string {
  const deltas = pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }));
  return [
    { type: "message_start", message: { id: "m", usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...deltas,
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
  ]
    .map(eventOf)
    .join("");
}

/** Skills in the format of Gemini CLI. */
function skillsOf(names: readonly string[]): string {
  const skills = names.map((name) => `\n  <skill>\n    <name>${name}</name>\n  </skill>`);
  return `<available_skills>${skills.join("")}\n</available_skills>`;
}

const SECOND = messagesBody({
  stream: true,
  system: skillsOf(["a", "b", "c"]),
  messages: [
    { role: "user", content: "Hi." },
    { role: "assistant", content: "Hello." },
    {
      role: "user",
      content:
        "<current_datetime>2026-11-29T01:14:30.701+00:00</current_datetime>\nIn /tmp/session-1, again.\nChunk ID: 68369d\nWall time: 0.0000 seconds\nok",
      id: "msg_0a1b2c3d-0000-1111-2222-0123456789ab",
      call: "run_shell_1795902575459_0",
    },
  ],
  metadata: { user_id: "session-1" },
});

/** Sends the requests of a conversation, and returns the responses. */
async function converse({ send }: OpenedGateway, second: object = SECOND): Promise<readonly unknown[]> {
  const responses: unknown[] = [];
  for (const body of [messagesBody(), second, messagesBody({ system: "fail" })]) {
    const response = await send("/v1/messages", { body });
    responses.push([response.status, response.headers.get("content-type"), await response.text()]);
  }
  return responses;
}

const STREAM = textStream(["Hel", "lo", "."]);

async function openRecordedProvider() {
  return await openProvider((response, { body }) => {
    if (body.includes('"fail"')) return sendJson(response, { error: { message: `No: ${KEY}` } }, 400);
    if (!body.includes('"stream":true')) return sendJson(response, MESSAGE);
    response.writeHead(200, { "content-type": "text/event-stream" }).end(STREAM);
  });
}

/** Records a conversation. */
async function record(): Promise<{ lines: readonly string[]; responses: readonly unknown[] }> {
  const lines: string[] = [];
  const provider = await openRecordedProvider();
  const opened = await openGateway(
    { upstreams: anthropicAt(provider.url) },
    { record: { write: (line) => lines.push(line) } },
  );
  const responses = await converse(opened);
  await opened.run.close();
  return { lines, responses };
}

test("a recorded conversation is replayed without a provider, with the same responses and usage", async () => {
  const { lines, responses } = await record();
  expect(lines).toHaveLength(4);
  expect(lines.join()).not.toContain(KEY);
  // What is equal to the previous request is not stored again.
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({
    same: ["model", "max_tokens"],
    after: 1,
    request: { messages: [{}, {}] },
  });
  const recording = parseModelCalls(lines.join("\n"));
  const normalise = createNormaliser();
  const opened = await openGateway(
    { upstreams: anthropicAt("http://127.0.0.1:1") },
    { replay: { recording, normalise } },
  );
  const again = messagesBody({
    ...SECOND,
    system: skillsOf(["c", "a", "b"]),
    messages: [
      { role: "user", content: "Hi." },
      { role: "assistant", content: "Hello." },
      {
        role: "user",
        content:
          "<current_datetime>2026-11-30T09:00:00.000+00:00</current_datetime>\nIn /tmp/session-2, again.\nChunk ID: b5c347\nWall time: 1.2500 seconds\nok",
        id: "msg_11111111-2222-3333-4444-555555555555",
        call: "run_shell_1795902586442_0",
      },
    ],
    metadata: { user_id: "session-2" },
  });
  const masked = JSON.parse(JSON.stringify(responses).replaceAll(KEY, "***REDACTED***"));
  expect(await converse(opened, again)).toEqual(masked);
  expect(() => opened.run.assertReplayed()).not.toThrow();
  const usages = opened.events.map((event) => (event.type === "model_call_ended" ? event.usage?.totalTokens : event));
  expect(usages.slice(0, 2)).toEqual([15, 12]);
});

test("a replay reports the first difference, to the engine and to the host", async () => {
  const { lines } = await record();
  const recording = parseModelCalls(lines.join("\n"));
  const { send, run, events } = await openGateway(
    { upstreams: anthropicAt("http://127.0.0.1:1") },
    { replay: { recording } },
  );
  const other = messagesBody({ messages: [{ role: "user", content: "Bye." }] });
  const response = await send("/v1/messages", { body: other });
  const problem =
    'Model call 1 does not match the recording: request.messages[0].content was recorded as "Hi." and is "Bye."';
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining(problem) } },
  ]);
  expect(events).toMatchObject([{ type: "model_request_refused", error: "cassette.mismatch" }]);
  expect((await send("/v1/messages", { body: messagesBody() })).status).toBe(200);
  expect(() => run.assertReplayed()).toThrow(problem);
});

test.each([
  ["a rejected key", 401, {}],
  ["a redirect", 302, { location: "http://127.0.0.1:1/" }],
])("%s is recorded as the response that the engine received", async (_name, status, headers) => {
  const provider = await openProvider((response) => {
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end("Incorrect key: sk-re********cdef.");
  });
  const lines: string[] = [];
  const record = { write: (line: string) => void lines.push(line) };
  const { send, run } = await openGateway({ upstreams: anthropicAt(provider.url) }, { record });
  const response = await send("/v1/messages", { body: messagesBody() });
  const received = { status: response.status, contentType: response.headers.get("content-type") };
  const body = await response.text();
  await run.close();
  expect(received.status).toBe(503);
  expect(parseModelCalls(lines.join("\n")).calls).toMatchObject([{ ...received, parts: [body] }]);
});

test("a run without a model call leaves no recording", async () => {
  const lines: string[] = [];
  const record = { write: (line: string) => void lines.push(line) };
  const { run } = await openGateway({ upstreams: anthropicAt("http://127.0.0.1:1") }, { record });
  await run.close();
  expect(lines).toEqual([]);
});

test("the masker of a run masks its recording, and the requests of its replay", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const lines: string[] = [];
  const body = messagesBody({ system: `It is ${PASSWORD}.` });
  const upstreams = anthropicAt(provider.url);
  const masker = createMasker([secret(PASSWORD)]);
  const recorded = await openGateway({ upstreams }, { masker, record: { write: (line) => lines.push(line) } });
  await (await recorded.send("/v1/messages", { body })).text();
  await recorded.run.close();
  expect(lines.join()).not.toContain(PASSWORD);
  const recording = parseModelCalls(lines.join("\n"));
  const replayed = await openGateway({ upstreams }, { masker, replay: { recording } });
  expect((await replayed.send("/v1/messages", { body })).status).toBe(200);
  expect(() => replayed.run.assertReplayed()).not.toThrow();
});

test("what a conversation repeats is not masked again for each call", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const lines: string[] = [];
  const masked: string[] = [];
  const mask = (text: string): string => {
    masked.push(text);
    return text.replace("secret-of-turn", "***");
  };
  const { send, run } = await openGateway(
    { upstreams: anthropicAt(provider.url) },
    { masker: { mask }, record: { write: (line) => lines.push(line) } },
  );
  const messages: object[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    messages.push({ role: "user", content: `secret-of-turn ${turn}` });
    await (await send("/v1/messages", { body: messagesBody({ system: "Be brief.", messages }) })).text();
  }
  await run.close();
  const counts = ["Be brief.", "secret-of-turn 0", "secret-of-turn 2"].map(
    (text) => masked.filter((one) => one === text).length,
  );
  expect(counts).toEqual([1, 1, 1]);
  const requests = parseModelCalls(lines.join("\n")).calls.map(({ request }) => request?.["messages"]);
  const cleaned = [0, 1, 2].map((turn) => ({ role: "user", content: `*** ${turn}` }));
  expect(requests).toEqual([cleaned.slice(0, 1), cleaned.slice(0, 2), cleaned]);
});

test("calls that were not recorded, and recorded calls that are not made, are differences", async () => {
  const { lines } = await record();
  const recording = parseModelCalls(lines.slice(0, 2).join("\n"));
  const upstreams = anthropicAt("http://127.0.0.1:1");
  const unused = await openGateway({ upstreams }, { replay: { recording } });
  expect(() => unused.run.assertReplayed()).toThrow(expect.objectContaining({ code: "cassette.unused" }));
  const { send, run } = await openGateway({ upstreams }, { replay: { recording } });
  await (await send("/v1/messages", { body: messagesBody() })).text();
  await (await send("/v1/messages", { body: SECOND })).text();
  expect(() => run.assertReplayed()).toThrow(expect.objectContaining({ code: "cassette.exhausted" }));
});

test.each([
  ["", "it is empty"],
  ["{}", "line 1: the header has no format switchyard/model-calls"],
  ['{"format":"switchyard/model-calls","version":9,"description":""}', "line 1: version 9 is unknown"],
  [
    '{"format":"switchyard/model-calls","version":1,"description":""}\n{"api":"soap"}',
    "line 2: it has no known api and path",
  ],
  ['{"format":"switchyard/model-calls","version":1,"description":""}\n{', "line 2: it is not valid JSON"],
])("an invalid recording is rejected: %s", (text, problem) => {
  expect(() => parseModelCalls(text)).toThrow(`The recording (text) is invalid: ${problem}`);
});

test("a secret is masked in a recording, in requests, and in a stream that splits it at any position", async () => {
  const masker = createMasker([secret(PASSWORD)]);
  const token = `password ${PASSWORD} end`;
  const cuts = fc.uniqueArray(fc.nat(token.length), { maxLength: 8 });
  let pieces: readonly string[] = [];
  const provider = await openProvider((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(textStream(pieces));
  });
  const { gateway } = await openGateway({ upstreams: anthropicAt(provider.url), masker });
  await fc.assert(
    fc.asyncProperty(cuts, async (positions) => {
      const sorted = [0, ...positions.sort((left, right) => left - right), token.length];
      pieces = sorted.slice(1).map((end, index) => token.slice(sorted[index], end));
      const lines: string[] = [];
      const run = await gateway.openRun({ runId: "r", record: { write: (line) => lines.push(line) } });
      const headers = { "x-api-key": run.token.reveal() };
      const body = JSON.stringify(messagesBody({ stream: true, system: `It is ${PASSWORD}.` }));
      const response = await fetch(`${run.baseUrl}/v1/messages`, { method: "POST", headers, body });
      // The engine receives the response unmasked.
      expect(await response.text()).toBe(textStream(pieces));
      await run.close();
      const [call] = parseModelCalls(lines.join("\n")).calls;
      const texts = call?.parts.map((part) => /"text":"([^"]*)"/.exec(part)?.[1] ?? "").join("");
      expect(texts).toBe("password ***REDACTED*** end");
      expect(call?.request).toMatchObject({ system: "It is ***REDACTED***." });
    }),
    { numRuns: 15 },
  );
});
