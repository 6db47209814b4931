import { readdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const MODEL = ["run", "--model", "openai-compatible/m", "--env", "local", "--mode", "auto"];

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Sends a chat completion with these deltas, streamed if the request asks for a stream. */
function answer(response: ServerResponse, body: string, deltas: readonly object[]): void {
  const isCall = deltas.some((delta) => "tool_calls" in delta);
  const finish_reason = isCall ? "tool_calls" : "stop";
  if (!body.includes('"stream":true')) {
    json(response, 200, {
      id: "1",
      choices: [{ index: 0, message: Object.assign({ role: "assistant", content: null }, ...deltas), finish_reason }],
    });
    return;
  }
  const chunks = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason }];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks)
    response.write(`data: ${JSON.stringify({ id: "1", choices: [{ index: 0, ...chunk }] })}\n\n`);
  response.end("data: [DONE]\n\n");
}

function call(name: string, callArguments: unknown, more: object = {}): object {
  return { index: 0, id: "c1", type: "function", function: { name, arguments: callArguments }, ...more };
}

const isSummary = (body: string): boolean => body.includes("You summarise the work of a coding agent");

test.each<readonly [string, number, unknown]>([
  [
    "xAI",
    400,
    { code: "400", error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens." },
  ],
  [
    "Kimi",
    400,
    {
      error: {
        message: "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
        type: "invalid_request_error",
      },
    },
  ],
  ["z.ai", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
  [
    "DashScope",
    400,
    {
      error: {
        code: "invalid_parameter_error",
        message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
      },
    },
  ],
  [
    "Text Generation Inference",
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`",
      error_type: "validation",
    },
  ],
  ["llama.cpp", 500, { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } }],
  [
    "LiteLLM",
    503,
    {
      error: {
        message:
          "litellm.ServiceUnavailableError: litellm.ContextWindowExceededError: prompt is too long: 200480 tokens > 200000 maximum",
        code: "503",
      },
    },
  ],
])("a conversation that %s calls too long is summarised, and the run finishes", async (_, status, error) => {
  const cwd = await makeFolder({ "big.txt": "A line of a long file.\n".repeat(1500) });
  let isShort = false;
  const { baseUrl, bodies } = await startLoopbackModel((response) => {
    const body = bodies.at(-1) ?? "";
    if (isSummary(body)) {
      isShort = true;
      answer(response, body, [{ content: "Task: read big.txt. Done: it was read." }]);
    } else if (!body.includes('"role":"tool"') && !isShort) {
      answer(response, body, [{ tool_calls: [call("read_file", '{"file_path":"big.txt"}')] }]);
    } else if (isShort) answer(response, body, [{ content: "All done." }]);
    else json(response, status, error);
  });
  const run = await switchyard([...MODEL, "--base-url", baseUrl, "--state", await makeFolder(), "Read big.txt."], {
    cwd,
  });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).toContain("All done.");
  expect(bodies.filter(isSummary)).toHaveLength(1);
});

test("max_tokens above the model's limit is no context overflow: nothing is summarised, and the run ends with the error", async () => {
  const problem =
    "`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model";
  const { baseUrl, bodies } = await startLoopbackModel((response) => {
    json(response, 400, { error: { message: problem, type: "invalid_request_error" } });
  });
  const run = await switchyard([...MODEL, "--base-url", baseUrl, "--state", await makeFolder(), "Hello."], {
    cwd: await makeFolder(),
  });
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toContain("must be less than or equal to");
  expect(bodies.some(isSummary)).toBe(false);
});

test("a base URL that answers with a web page is asked once", async () => {
  const { baseUrl, requests } = await startLoopbackModel((response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>portal</title>");
  });
  const run = await switchyard([...MODEL, "--base-url", baseUrl, "--state", await makeFolder(), "Hello."], {
    cwd: await makeFolder(),
  });
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toMatch(/web page[\s\S]*base URL/);
  expect(requests()).toBe(1);
});

test("a call that comes twice under one id takes effect once, and its signature comes back, also after a resume", async () => {
  const cwd = await makeFolder({ "log.txt": "" });
  const extra_content = { google: { thought_signature: "signature-of-the-call" } };
  const write = call("shell", { command: "echo once >> log.txt" }, { extra_content });
  const { baseUrl, bodies } = await startLoopbackModel((response) => {
    const body = bodies.at(-1) ?? "";
    if (!body.includes('"role":"tool"')) {
      answer(response, body, [{ reasoning_content: "" }, { tool_calls: [write] }, { tool_calls: [write] }]);
    } else if (bodies.length === 2) json(response, 401, { error: { message: "the key has expired" } });
    else answer(response, body, [{ content: "Written." }]);
  });
  const state = await makeFolder();
  const run = await switchyard([...MODEL, "--base-url", baseUrl, "--state", state, "Write it."], { cwd });
  expect(run.exitCode, run.stderr).toBe(3);
  const [id = ""] = await readdir(join(state, "runs"));
  const resumed = await switchyard(["resume", id, "--state", state], { cwd });
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(await readFile(join(cwd, "log.txt"), "utf8")).toBe("once\n");
  expect(bodies).toHaveLength(3);
  for (const body of bodies.slice(1)) {
    expect(body).toContain(`"extra_content":${JSON.stringify(extra_content)}`);
    expect(body).toContain('"reasoning_content":""');
  }
});

const AGAIN = [
  '{"command":"echo once >> log.txt","timeout_ms":9000}',
  '{ "timeout_ms": 9000, "command": "echo once >> log.txt" }',
];

function chatTwice(response: ServerResponse): void {
  const deltas = AGAIN.map((text, index) => ({ tool_calls: [call("shell", text, { index })] }));
  answer(response, '"stream":true', deltas);
}

function anthropicTwice(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event: { type: string; [field: string]: unknown }): void => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  send({ type: "message_start", message: { id: "m", type: "message", role: "assistant", model: "m", content: [] } });
  AGAIN.forEach((partial_json, index) => {
    send({
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: "c1", name: "shell", input: {} },
    });
    send({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
    send({ type: "content_block_stop", index });
  });
  send({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } });
  send({ type: "message_stop" });
  response.end();
}

function geminiTwice(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const parts = AGAIN.map((text) => ({ functionCall: { id: "c1", name: "shell", args: JSON.parse(text) } }));
  const candidates = [{ content: { role: "model", parts }, finishReason: "STOP" }];
  response.end(`data: ${JSON.stringify({ candidates })}\n\n`);
}

test.each([
  ["openai-compatible/m", chatTwice, /"tool_call_id"/g],
  ["anthropic/m", anthropicTwice, /"tool_result"/g],
  ["gemini/gemini-2.5-pro", geminiTwice, /"functionResponse"/g],
] as const)(
  "%s: a repeated call with the same id in other syntax runs once and has one result",
  async (model, twice, result) => {
    const cwd = await makeFolder();
    const { baseUrl, bodies } = await startLoopbackModel((response) => {
      if (bodies.length === 1) twice(response);
      else json(response, 401, { error: { message: "the key has expired" } });
    });
    const words = ["run", "--model", model, "--base-url", baseUrl, "--env", "local", "--mode", "auto"];
    await switchyard([...words, "--tool-names", "specification", "--state", await makeFolder(), "Write it."], {
      cwd,
      env: { ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k" },
    });
    expect(await readFile(join(cwd, "log.txt"), "utf8")).toBe("once\n");
    expect(bodies).toHaveLength(2);
    expect(bodies[1]?.match(result)).toHaveLength(1);
  },
);
