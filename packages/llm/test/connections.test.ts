import { once } from "node:events";
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { clientFromEnv } from "../src/index.ts";
import { ask, clientOf, collect, FAMILIES, KEY } from "./families.ts";
import { answerJson, answerSse, type Handler, sse, startServer } from "./loopback-server.ts";
import { COMPLETE, OPENING, piece, streamOf } from "./wire-answers.ts";

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.catch((caught: unknown) => caught);
  if (EngineError.is(error)) return error;
  throw new Error("it did not fail as it should", { cause: error });
}

async function listening(server: Server): Promise<AsyncDisposable & { url: string }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

test("a connection that is never established is abandoned after its timeout, also for a stream [client-timeouts-1]", async () => {
  const sockets = new Set<{ destroy(): void }>();
  // It accepts the connection and never sends a TLS message.
  await using silent = await listening(createServer((socket) => void sockets.add(socket.on("error", () => undefined))));
  const client = clientOf("openai", `https://${silent.url}/v1`, { timeouts: { connectMs: 20 } });
  const calls = [client.complete(ask("gpt-5.1")), collect(client.stream(ask("gpt-5.1")))];
  for (const error of await Promise.all(calls.map(failure))) {
    expect(error.code).toBe("llm.network");
    expect(error.message).toContain("no connection within the time limit");
    expect(error.retryable).toBe(true);
  }
  await client.close();
  for (const socket of sockets) socket.destroy();
});

test("a separate limit changes nothing else: streams, aborts and early exits work [client-timeouts-2]", async () => {
  await using server = await startServer(answerSse(streamOf("anthropic", ["Hel", "lo"])));
  const client = clientOf("anthropic", `${server.url}/v1`, { timeouts: { connectMs: 5_000 } });
  const events = await collect(client.stream(ask("claude-sonnet-4-5")));
  expect(events.at(-1)).toMatchObject({ type: "finish", response: { finishReason: { unified: "stop" } } });
  await using hanging = await startServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sse([...OPENING.anthropic, piece("anthropic", "Hel")]));
  });
  const other = clientOf("anthropic", `${hanging.url}/v1`, { timeouts: { connectMs: 5_000 } });
  for await (const event of other.stream(ask("claude-sonnet-4-5"))) if (event.type === "text_delta") break;
  await hanging.clientLeft;
  await Promise.all([client.close(), other.close()]);
});

/** A proxy that records the addresses to which it connects. */
function proxyServer(reached: string[]): Server {
  return createHttpServer((request, response) => {
    reached.push(request.url ?? "");
    const onward = httpRequest(request.url ?? "", { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).on("connect", (request, socket) => {
    reached.push(request.url ?? "");
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on("error", () => void [onward, socket].map((each) => each.destroy()));
  });
}

test("HTTP_PROXY is used, except for NO_PROXY", async () => {
  const reached: string[] = [];
  await using server = await startServer(answerJson(COMPLETE.openai));
  await using proxy = await listening(proxyServer(reached));
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1`, HTTP_PROXY: proxy.url };
  const client = clientFromEnv(env);
  await client.complete(ask("gpt-5.1"));
  expect(reached.join()).toContain(server.url.slice("http://".length));
  expect(server.requests).toHaveLength(1);
  await client.close();
  const direct = clientFromEnv({ ...env, NO_PROXY: "127.0.0.1" });
  await direct.complete(ask("gpt-5.1"));
  expect(server.requests).toHaveLength(2);
  expect(reached).toHaveLength(1);
  await direct.close();
});

test("a request through a proxy is the same as a direct one", async () => {
  await using server = await startServer(answerJson(COMPLETE.openai));
  await using proxy = await listening(proxyServer([]));
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1` };
  for (const proxied of [{}, { HTTP_PROXY: proxy.url }]) {
    const client = clientFromEnv({ ...env, ...proxied });
    await client.complete(ask("gpt-5.1"));
    await client.close();
  }
  const [direct, proxied] = server.requests.map(({ method, path, headers, text }) => {
    const { authorization, "content-type": type, "user-agent": program } = headers;
    return { method, path, authorization, type, program, text };
  });
  expect(direct).toMatchObject({ method: "POST", authorization: `Bearer ${KEY}`, type: "application/json" });
  expect(proxied).toEqual(direct);
});

test("a redirect through a proxy is not followed", async () => {
  await using server = await startServer((response) => void response.writeHead(307, { location: "/elsewhere" }).end());
  await using proxy = await listening(proxyServer([]));
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1`, HTTP_PROXY: proxy.url };
  const client = clientFromEnv(env);
  expect((await failure(client.complete(ask("gpt-5.1")))).message).toContain("redirects to");
  expect(server.requests).toHaveLength(1);
  await client.close();
});

test("an aborted call through a proxy closes its connection, even before the response starts", async () => {
  await using server = await startServer(() => undefined);
  await using proxy = await listening(proxyServer([]));
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1`, HTTP_PROXY: proxy.url };
  const client = clientFromEnv(env);
  const controller = new AbortController();
  const failed = failure(client.complete(ask("gpt-5.1", "hello", { signal: controller.signal })));
  await expect.poll(() => server.requests.length).toBe(1);
  controller.abort();
  expect((await failed).code).toBe("llm.aborted");
  let isOpen = true;
  void server.clientLeft.then(() => {
    isOpen = false;
  });
  await expect.poll(() => isOpen).toBe(false);
  await client.close();
});

test("an invalid proxy address is refused with the name of its variable", () => {
  expect(() => clientFromEnv({ OPENAI_API_KEY: KEY, HTTPS_PROXY: "socks5://127.0.0.1:1" })).toThrow(/HTTPS_PROXY/);
});

test.each(FAMILIES)(
  "a compressed response of $family is read only up to the limit",
  async ({ family, model, base }) => {
    const bomb: Handler = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      response.end(gzipSync(`: ${"x".repeat(20_000_000)}\n`));
    };
    await using server = await startServer(bomb);
    const client = clientOf(family, `${server.url}${base}`, { maxAnswerBytes: 1_000_000 });
    const error = await failure(collect(client.stream(ask(model))));
    expect(error.code).toBe("llm.invalid_response");
    expect(error.message).toContain("1000000 bytes");
  },
);

test("a line without an end is stored once, not copied or searched again with every chunk", async () => {
  const chunk = "x".repeat(65_536);
  const cpuOf = async (chunks: readonly string[]): Promise<number> => {
    await using server = await startServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(OPENING.openai));
      for (const one of chunks) response.write(one);
      response.end("data: x\n\n");
    });
    const started = process.cpuUsage();
    const error = await failure(collect(clientOf("openai", `${server.url}/v1`).stream(ask("gpt-5.1"))));
    const { user } = process.cpuUsage(started);
    expect(error.code).toBe("llm.invalid_response");
    expect(error.message.length).toBeLessThan(300);
    return user;
  };
  const lines = await cpuOf(Array(400).fill(`: ${chunk}\n\n`));
  const line = await cpuOf(["data: ", ...Array(400).fill(chunk)]);
  // Copying all earlier chunks with every chunk takes more than ten times as long.
  expect(line).toBeLessThan(5 * lines);
});

test.each([
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["identity", (text: string) => Buffer.from(text)],
])("a response compressed with %s, although not requested, is decoded", async (encoding, pack) => {
  const requests: unknown[] = [];
  await using server = await startServer((response, request) => {
    requests.push(request.headers["accept-encoding"]);
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(pack(JSON.stringify(COMPLETE.openai)));
  });
  const client = clientOf("openai", `${server.url}/v1`);
  expect((await client.complete(ask("gpt-5.1"))).finishReason.unified).toBe("stop");
  expect(requests).toEqual(["identity"]);
  await client.close();
});

test.each([
  ["zstd", "llm.invalid_response"],
  ["gzip", "llm.stream_broken"],
])("a response that declares %s and cannot be decompressed is unreadable", async (encoding, code) => {
  await using server = await startServer((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end("nothing of that kind");
  });
  const client = clientOf("openai", `${server.url}/v1`);
  expect(await failure(client.complete(ask("gpt-5.1")))).toMatchObject({ code });
  await client.close();
});

test("consecutive calls use one connection, and none is open when the client is closed", async () => {
  const sockets = new Set<unknown>();
  const closed: Promise<unknown>[] = [];
  await using server = await startServer((response, request) => {
    const { socket } = response;
    if (socket !== null && !sockets.has(socket)) closed.push(once(socket, "close"));
    sockets.add(socket);
    answerJson(COMPLETE.openai)(response, request);
  });
  const client = clientOf("openai", `${server.url}/v1`);
  for (let call = 0; call < 3; call += 1) await client.complete(ask("gpt-5.1"));
  expect(sockets.size).toBe(1);
  await client.close();
  await Promise.all(closed);
});

test("a server that closes the connection without a response is reported as that", async () => {
  await using server = await startServer((response) => response.destroy());
  const client = clientOf("openai", `${server.url}/v1`);
  const error = await failure(client.complete(ask("gpt-5.1")));
  expect(error).toMatchObject({ code: "llm.network", retryable: true });
  expect(error.message).toContain("closed before a response arrived");
  await client.close();
});

test("a compressed response that breaks off at the start is a broken stream, not an endless one", async () => {
  await using server = await startServer((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.write(gzipSync(JSON.stringify(COMPLETE.openai)).subarray(0, 20), () => response.destroy());
  });
  const client = clientOf("openai", `${server.url}/v1`);
  expect(await failure(client.complete(ask("gpt-5.1")))).toMatchObject({ code: "llm.stream_broken" });
  await client.close();
});
