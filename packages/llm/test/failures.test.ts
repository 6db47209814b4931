import { inspect } from "node:util";
import { EngineError, type ErrorCode } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { ask, clientOf, collect, FAMILIES, KEY } from "./families.ts";
import { answerJson, answerSse, type Handler, sse, startServer } from "./loopback-server.ts";
import { CLOSING, COMPLETE, OPENING, piece, refusal, streamOf } from "./wire-answers.ts";

function engineError(value: unknown): EngineError {
  if (EngineError.is(value)) return value;
  throw new Error("not an EngineError", { cause: value });
}

const caught = (promise: Promise<unknown>): Promise<EngineError> =>
  promise.then(() => engineError(undefined), engineError);

const STATUSES: readonly [status: number, message: string, code: ErrorCode][] = [
  [400, "temperature must be a number", "llm.invalid_request"],
  [400, "This model's maximum context length is 8192 tokens", "llm.context_length"],
  [400, "prompt is too long: 210000 tokens > 200000 maximum", "llm.context_length"],
  [400, "The input token count (1200000) exceeds the maximum number of tokens allowed", "llm.context_length"],
  [400, "Your credit balance is too low", "llm.quota_exceeded"],
  [400, "API key not valid. Please pass a valid API key.", "llm.authentication"],
  [401, "Incorrect API key provided", "llm.authentication"],
  [402, "Payment required", "llm.quota_exceeded"],
  [403, "Not allowed", "llm.access_denied"],
  [404, "No such model", "llm.not_found"],
  [408, "Request timeout", "llm.invalid_request"],
  [413, "Request too large", "llm.context_length"],
  [422, "Unprocessable", "llm.invalid_request"],
  [429, "Slow down", "llm.rate_limited"],
  [429, "insufficient_quota: You exceeded your current quota", "llm.quota_exceeded"],
  [500, "Boom", "llm.server_error"],
  [503, "Unavailable", "llm.server_error"],
  [529, "Overloaded", "llm.server_error"],
  [418, "I am a teapot", "llm.unknown"],
  [400, "The response was filtered due to the content policy", "llm.content_filtered"],
];

/** Failures that may be retried: failures of the vendor, and unknown ones. A 408 is not. */
const RETRYABLE: readonly ErrorCode[] = ["llm.rate_limited", "llm.server_error", "llm.unknown"];

describe.each(FAMILIES)("failures of $family", ({ family, model, base, variable }) => {
  async function fail(
    handler: Handler,
    streamed: boolean,
  ): Promise<{ error: EngineError; url: string; calls: number }> {
    await using server = await startServer(handler);
    const client = clientOf(family, `${server.url}${base}`);
    const error = await caught(streamed ? collect(client.stream(ask(model))) : client.complete(ask(model)));
    return { error, url: `${server.url}${base}`, calls: server.requests.length };
  }

  test.each(STATUSES)(
    "HTTP %i %s is %s and is asked once [loop-B-15] [client-calls-1] [client-errors-1] [client-errors-4] [client-errors-5]",
    async (status, message, code) => {
      const { error, url, calls } = await fail(answerJson(refusal(family, message), status), status % 2 === 0);
      expect(error.code).toBe(code);
      expect(error.retryable).toBe(RETRYABLE.includes(code));
      expect(error.details).toMatchObject({ provider: family, model, variable, status, problem: message });
      expect(String(error.details["url"])).toMatch(new RegExp(`^${url}/`));
      expect(calls).toBe(1);
    },
  );

  test("a 404 names the address that was called", async () => {
    const { error, url } = await fail(answerJson("<html><title>Not Found</title></html>", 404), false);
    expect(error.message).toContain(`HTTP 404 at ${url}/`);
    expect(error.message).not.toContain("<html");
  });

  test("retry-after is understood as seconds, milliseconds and a date", async () => {
    const headers = [
      { "retry-after": "3" },
      { "retry-after-ms": "250" },
      { "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" },
    ];
    const requests: unknown[] = [];
    for (const header of headers) {
      requests.push(
        (await fail(answerJson(refusal(family, "Slow down"), 429, header), false)).error.details["retryAfterMs"],
      );
    }
    expect(requests).toEqual([3000, 250, 5000]);
  });

  test("a very long wait is reported with its duration", async () => {
    const problemFor = async (seconds: string): Promise<string> =>
      (await fail(answerJson(refusal(family, "Slow down"), 429, { "retry-after": seconds }), false)).error.message;
    expect(await problemFor("60")).toMatch(/Slow down$/);
    expect(await problemFor("90")).toMatch(/Slow down; it asks to wait for 2 minutes$/);
    expect(await problemFor("36000")).toMatch(/Slow down; it asks to wait for 10 hours$/);
  });

  test("neither the key nor a whole body reaches the message", async () => {
    const long = `Bad key ${KEY} ${"x".repeat(5000)}`;
    const { error } = await fail(answerJson(refusal(family, long), 401), false);
    expect(error.message).not.toContain(KEY);
    expect(JSON.stringify(error.details)).not.toContain(KEY);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([10, 20, KEY.length - 1])(
    "no part of the key is exposed if its %i characters end a line",
    async (shown) => {
      for (const body of [
        refusal(family, `${"-".repeat(299 - shown)}${KEY} is wrong`),
        `${"-".repeat(299 - shown)}${KEY}`,
      ]) {
        const { error } = await fail(answerJson(body, 401), false);
        expect(inspect(error, { depth: 10 })).not.toContain(KEY.slice(0, 8));
      }
    },
  );

  test.each([
    [
      "a refusal",
      answerJson({ error: { message: `Bad key ${KEY}`, code: "invalid" }, echo: KEY }, 401, { "x-echo": KEY }),
    ],
    ["a failure in text", answerJson(`trace of ${KEY}, ${Buffer.from(KEY).toString("base64")}`, 500)],
    ["a status line", (response) => void response.writeHead(403, `no ${KEY}`).end()],
    ["an answer of another shape", answerJson({ echo: KEY })],
    ["a response that is not JSON", answerJson(`{"echo": ${KEY}`)],
    ["a redirect", (response) => void response.writeHead(302, { location: `http://127.0.0.1/${KEY}` }).end()],
    ["a failure in a stream", answerSse([{ type: "error", error: { type: "api_error", message: KEY } }])],
    ["an event that is not JSON", (response) => void response.end(`data: {"echo ${KEY}\n\n`)],
    ["a reset connection", (response) => void response.socket?.destroy()],
  ] as const satisfies readonly (readonly [string, Handler])[])(
    "%s that echoes the key gives an error that can be printed whole",
    async (_, handler) => {
      for (const streamed of [false, true]) {
        const { error } = await fail(handler, streamed);
        const printed = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
        expect(printed).toContain(error.code);
        expect(printed).not.toContain(KEY);
        expect(printed).not.toContain(Buffer.from(KEY).toString("base64").slice(2, -4));
        expect(printed, "what was asked").not.toContain("hello");
      }
    },
  );

  test("headers that are secret are masked, and so is the key beside them", async () => {
    await using server = await startServer((response, request) => {
      const token = String(request.headers["x-gateway-token"]).replace("Bearer ", "");
      const body = refusal(family, `no ${token} for ${KEY}`);
      answerJson(body, 403)(response, request);
    });
    const headers = { "x-gateway-token": "Bearer gateway-0123456789" };
    const url = `${server.url}${base}`;
    for (const error of [
      await caught(clientOf(family, url, { headers }).complete(ask(model))),
      await caught(clientOf(family, url).complete(ask(model, "hi", { providerOptions: { [family]: { headers } } }))),
    ]) {
      expect(error.message).toContain("no ***REDACTED*** for ***REDACTED***");
      const printed = inspect(error, { depth: 10 });
      expect(printed).not.toContain("gateway-0123456789");
      expect(printed).not.toContain(KEY);
    }
  });

  test("a web page is not a response, also not of a stream, and its address is reported", async () => {
    const page: Handler = (response) =>
      void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>portal</html>");
    for (const streamed of [false, true]) {
      const { error, url } = await fail(page, streamed);
      expect(error.code).toBe("llm.invalid_response");
      expect(error.message).toContain(url);
    }
  });

  test("a first event that cannot be read is an answer that cannot be understood", async () => {
    for (const data of ["{nope", "null", "[1]", '"text"']) {
      const { error } = await fail((response) => void response.end(`data: ${data}\n\n`), true);
      expect(error.code).toBe("llm.invalid_response");
      expect(error.message.length).toBeLessThan(120);
    }
  });

  test("slashes and blanks round the base URL do not matter", async () => {
    for (const ending of ["/", "//", "/ ", " "]) {
      await using server = await startServer(answerJson(COMPLETE[family]));
      await clientOf(family, `${server.url}${base}${ending}`).complete(ask(model));
      expect(server.requests[0]?.path).toMatch(new RegExp(`^${base}/[^/]`));
    }
  });

  test("a redirect is refused, so that the key stays with its host", async () => {
    await using other = await startServer(answerJson(COMPLETE[family]));
    const { error } = await fail((response) => response.writeHead(307, { location: `${other.url}/else` }).end(), false);
    expect(error.code).toBe("llm.invalid_request");
    expect(error.details["problem"]).toContain(other.url);
    expect(other.requests).toEqual([]);
  });

  test("a refused connection names the address [loop-B-8] [client-errors-2]", async () => {
    const server = await startServer(answerJson({}));
    await server[Symbol.asyncDispose]();
    const error = await caught(clientOf(family, `${server.url}${base}`).complete(ask(model)));
    expect(error.code).toBe("llm.network");
    expect(error.retryable).toBe(true);
    expect(error.message).toContain(`${server.url}${base}/`);
    expect(error.message).toContain("refused");
  });

  test.each([true, false])(
    "a connection that is reset before the answer is a network failure (streamed: %s)",
    async (streamed) => {
      const { error } = await fail((response) => void response.socket?.destroy(), streamed);
      expect(error.code).toBe("llm.network");
    },
  );

  test("a truncated complete response is an error", async () => {
    const { error } = await fail((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write('{"id":');
      setImmediate(() => response.socket?.destroy());
    }, false);
    expect(error.code).toBe("llm.stream_broken");
  });

  test("a response that is not JSON, or has another shape, is unreadable [client-errors-2]", async () => {
    for (const body of ["<html>portal</html>", "{}"]) {
      const { error } = await fail(answerJson(body), false);
      expect(error.code).toBe("llm.invalid_response");
    }
  });

  test("a truncated stream is an error, whether it breaks off or ends normally [client-errors-2]", async () => {
    const half = [...OPENING[family], piece(family, "Hel")];
    const cut: Handler = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(half), () => response.socket?.destroy());
    };
    for (const handler of [cut, answerSse(half)]) {
      const { error } = await fail(handler, true);
      expect(error.code).toBe("llm.stream_broken");
      expect(error.retryable).toBe(true);
    }
  });

  test("the part that arrived before a break was delivered", async () => {
    await using server = await startServer(answerSse([...OPENING[family], piece(family, "Hel")]));
    const seen: string[] = [];
    const error = await caught(
      (async () => {
        for await (const event of clientOf(family, `${server.url}${base}`).stream(ask(model))) {
          if (event.type === "text_delta") seen.push(event.text);
        }
      })(),
    );
    expect(error.code).toBe("llm.stream_broken");
    expect(seen).toEqual(["Hel"]);
  });

  test("a stream with an event that is not JSON is unreadable", async () => {
    const { error } = await fail((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${sse([...OPENING[family], piece(family, "Hel")])}data: {"nope\n\n${sse(CLOSING[family])}`);
    }, true);
    expect(error.code).toBe("llm.invalid_response");
  });

  test("an answer past the limit of bytes is refused", async () => {
    await using server = await startServer(answerSse(streamOf(family, ["x".repeat(9000)])));
    const client = clientOf(family, `${server.url}${base}`, { maxAnswerBytes: 4096 });
    const error = await caught(collect(client.stream(ask(model))));
    expect(error.code).toBe("llm.invalid_response");
    expect(error.message).toContain("4096 bytes");
  });

  test("an abort before the call prevents the request [client-timeouts-3]", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const client = clientOf(family, `${server.url}${base}`);
    const signal = AbortSignal.abort();
    expect((await caught(client.complete(ask(model, "hi", { signal })))).code).toBe("llm.aborted");
    expect((await caught(collect(client.stream(ask(model, "hi", { signal }))))).code).toBe("llm.aborted");
    expect(server.requests).toEqual([]);
  });

  test("an abort while the answer is awaited ends the call and the connection [client-errors-2] [client-timeouts-3]", async () => {
    const controller = new AbortController();
    await using server = await startServer(() => controller.abort());
    const error = await caught(
      clientOf(family, `${server.url}${base}`).complete(ask(model, "hi", { signal: controller.signal })),
    );
    expect(error.code).toBe("llm.aborted");
    await server.clientLeft;
  });
});

describe("failures inside a stream that began well", () => {
  const inStream = async (family: "openai" | "anthropic", event: object): Promise<EngineError> => {
    const found = FAMILIES.find((entry) => entry.family === family);
    const model = found?.model ?? "";
    await using server = await startServer(answerSse([...OPENING[family], piece(family, "Hel"), event]));
    return await caught(collect(clientOf(family, `${server.url}/v1`).stream(ask(model))));
  };

  test("Anthropic's overload is a server failure", async () => {
    const error = await inStream("anthropic", {
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    });
    expect(error.code).toBe("llm.server_error");
    expect(error.details).toMatchObject({ status: 529, problem: "Overloaded" });
  });

  test("OpenAI's rate limit is a rate limit", async () => {
    const error = await inStream("openai", {
      type: "error",
      sequence_number: 3,
      error: { type: "rate_limit_exceeded", code: "rate_limit_exceeded", message: "Slow", param: null },
    });
    expect(error.code).toBe("llm.rate_limited");
  });

  test.each([
    [{ type: "error", code: "server_error", message: "Boom" }, "llm.server_error"],
    [{ type: "error", error: { code: "context_length_exceeded", message: "Boom" } }, "llm.context_length"],
    [
      { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "Boom" } } },
      "llm.rate_limited",
    ],
  ])("a failure is reported correctly, even if the server omits fields of its event: %j", async (event, code) => {
    await using server = await startServer(answerSse([event]));
    const first = await caught(collect(clientOf("openai", `${server.url}/v1`).stream(ask("gpt-5.1"))));
    for (const error of [first, await inStream("openai", event)]) {
      expect(error.code).toBe(code);
      expect(error.message).toContain("Boom");
    }
  });

  test("Anthropic's failure as the first event counts by its own name", async () => {
    await using server = await startServer(
      answerSse([{ type: "error", error: { type: "rate_limit_error", message: "Slow down" } }]),
    );
    const error = await caught(collect(clientOf("anthropic", `${server.url}/v1`).stream(ask("claude-sonnet-4-5"))));
    expect(error.code).toBe("llm.rate_limited");
  });

  test("Gemini's daily quota is used up, its short-term limit passes", async () => {
    const answer = (quotaId: string): Handler =>
      answerJson(
        {
          error: {
            code: 429,
            message: "You exceeded your current quota",
            status: "RESOURCE_EXHAUSTED",
            details: [{ violations: [{ quotaId }] }, { retryDelay: "12.5s" }],
          },
        },
        429,
      );
    const codes: unknown[] = [];
    for (const quota of ["GenerateRequestsPerDayPerProject", "GenerateRequestsPerMinutePerProject"]) {
      await using server = await startServer(answer(quota));
      const error = await caught(clientOf("gemini", `${server.url}/v1beta`).complete(ask("gemini-2.5-pro")));
      codes.push([error.code, error.details["retryAfterMs"]]);
    }
    expect(codes).toEqual([
      ["llm.quota_exceeded", 12_500],
      ["llm.rate_limited", 12_500],
    ]);
  });
});
