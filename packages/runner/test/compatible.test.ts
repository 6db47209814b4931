import { createServer, type IncomingMessage } from "node:http";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { openAgentEngine, runSession } from "../src/index.ts";
import { task, temporaryWorkspace } from "./temporary-session.ts";

interface Request {
  path: string | undefined;
  authorization: string | undefined;
  body: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}

/** Starts a server with OpenAI's Chat Completions API that always sends the same response. */
async function startServer(): Promise<AsyncDisposable & { url: string; requests: Request[] }> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push({ path: request.url, authorization: request.headers.authorization, body });
      const choice = { index: 0, delta: { content: "Done." }, finish_reason: "stop" };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ id: "1", model: "m", choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  ["ollama/qwen3-coder:30b", "edit_file", "apply_patch"],
  ["openai-compatible/openai/gpt-oss-120b", "apply_patch", "edit_file"],
  ["vllm/google/gemma-3", "read_many_files", "apply_patch"],
])("%s works without a key, with the tools its family does best with", async (model, has, hasNot) => {
  using workspace = temporaryWorkspace();
  await using server = await startServer();
  await using engine = await openAgentEngine({ model, baseUrl: server.url, env: {} });
  const report = await runSession(task("Say that you are done."), workspace.options({ engine, model }));
  expect(report).toMatchObject({ status: "completed", result: { final_message: "Done." } });
  expect(server.requests).toHaveLength(1);
  const [requests] = server.requests;
  expect(requests).toMatchObject({ path: "/v1/chat/completions", authorization: undefined });
  expect(requests?.body).toContain(`"model":"${model.slice(model.indexOf("/") + 1)}"`);
  expect(requests?.body).toContain(`"name":"${has}"`);
  expect(requests?.body).not.toContain(`"name":"${hasNot}"`);
});

test.each([
  ["openrouter/qwen/qwen3-coder", "model.missing_key"],
  ["openai-compatible/m", "model.missing_address"],
  ["constructor/m", "model.unknown_provider"],
])("%s without its requirements is refused before anything runs", async (model, code) => {
  const error = await openAgentEngine({ model, env: {} }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(EngineError.is(error) && error.code).toBe(code);
});
