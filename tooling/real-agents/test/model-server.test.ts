import { afterAll, beforeAll, expect, test } from "vitest";
import { startModelServer } from "../src/model-server.mjs";

const SCRIPT = {
  tool: [{ text: "First.", calls: [{ name: "bash", arguments: { command: "ls" } }] }, { text: "Second." }],
  wrong: [{ error: { status: 429, message: "too many" } }],
};
let server: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  server = await startModelServer({ script: SCRIPT });
});
afterAll(() => server.close());

async function ask(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(server.url + path, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const tools = [{ name: "bash", functionDeclarations: [{ name: "bash" }] }];
const user = { role: "user", content: "CASE:tool do it" };
const CASES = [
  {
    path: "/v1/chat/completions",
    first: { messages: [user] },
    second: { messages: [user, { role: "assistant", content: "First." }, { role: "tool", content: "a" }] },
  },
  {
    path: "/v1/responses",
    first: { input: [user] },
    second: {
      input: [
        ...[user, { role: "assistant", content: "First." }, { type: "function_call" }],
        { type: "function_call_output", output: "a" },
      ],
    },
  },
  {
    path: "/v1/messages",
    first: { messages: [user] },
    second: {
      messages: [
        ...[user, { role: "assistant", content: [{ type: "text", text: "First." }] }],
        { role: "user", content: [{ type: "tool_result" }] },
      ],
    },
  },
  {
    path: "/v1beta/models/m:generateContent",
    first: { contents: [{ role: "user", parts: [{ text: "CASE:tool do it" }] }] },
    second: {
      contents: [
        ...[
          { role: "user", parts: [{ text: "CASE:tool do it" }] },
          { role: "model", parts: [{ text: "First." }] },
        ],
        { role: "user", parts: [{ functionResponse: {} }] },
      ],
    },
  },
];

test.each(CASES)("$path chooses the response by the conversation alone, complete and streamed", async (format) => {
  const { path, first, second } = format;
  for (const isStreamed of [false, true]) {
    const asked = isStreamed ? path.replace(":generate", ":streamGenerate") : path;
    const begun = await ask(asked, { ...first, tools, model: "m", stream: isStreamed });
    expect(begun.text).toContain("First.");
    expect(begun.text).toContain("bash");
    const ended = await ask(asked, { ...second, tools, model: "m", stream: isStreamed });
    expect(ended.text).toContain("Second.");
    expect(ended.text.startsWith("{")).toBe(!isStreamed);
  }
});

test("errors have their status, requests without tools get a short text, and unknown paths return an error", async () => {
  const messages = [{ role: "user", content: "CASE:wrong" }];
  const wrong = await ask("/v1/messages", { messages, tools });
  expect(wrong.status).toBe(429);
  expect(wrong.text).toContain("too many");
  expect((await ask("/v1/messages", { messages })).text).toContain('"ok"');
  expect((await ask("/v1/nothing", {})).status).toBe(404);
});
