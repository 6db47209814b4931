import { EngineError, textMessage } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { answerSse, type Handler, startServer } from "./loopback-server.ts";
import { streamOf } from "./wire-answers.ts";

describe.each(FAMILIES)("calls of one $family client", ({ family, model, base }) => {
  const echo: Handler = (response, request) => {
    const [word = ""] = /word-\d+/.exec(request.text) ?? [];
    answerSse(streamOf(family, [word]))(response, request);
  };
  const textOfStream = async (events: ReturnType<ReturnType<typeof clientOf>["stream"]>): Promise<string> =>
    (await collect(events)).map((event) => (event.type === "text_delta" ? event.text : "")).join("");

  test("at the same time, to one model or many, each get their own answer [client-client-8]", async () => {
    await using server = await startServer(echo);
    const client = clientOf(family, `${server.url}${base}`);
    // More models than the cache holds, each requested twice.
    const words = Array.from({ length: 80 }, (_, index) => ({
      word: `word-${index}`,
      model: `${model}-${index % 40}`,
    }));
    const answers = await Promise.all(words.map(({ word, model }) => textOfStream(client.stream(ask(model, word)))));
    expect(answers).toEqual(words.map(({ word }) => word));
    const models = new Set(
      server.requests.map((request) => request.at("model") ?? /models\/([^:]+):/.exec(request.path)?.[1]),
    );
    expect(models.size).toBe(40);
  });

  test("are aborted one by one, and an error belongs to its own call [client-client-8]", async () => {
    await using server = await startServer((response, request) => {
      if (request.text.includes("word-2")) {
        response.writeHead(429, { "content-type": "application/json", "retry-after": "7" });
        response.end("{}");
      } else if (!request.text.includes("word-1")) echo(response, request);
    });
    const client = clientOf(family, `${server.url}${base}`);
    const controller = new AbortController();
    const aborted = textOfStream(client.stream(ask(model, "word-1", { signal: controller.signal })));
    const limited = textOfStream(client.stream(ask(model, "word-2")));
    const answered = textOfStream(client.stream(ask(model, "word-3")));
    await expect(limited).rejects.toSatisfy((error) => EngineError.is(error, "llm.rate_limited"));
    expect(await answered).toBe("word-3");
    controller.abort();
    await expect(aborted).rejects.toSatisfy((error) => EngineError.is(error, "llm.aborted"));
  });

  test("send the current messages, also if one was changed since the last call", async () => {
    await using server = await startServer(echo);
    const client = clientOf(family, `${server.url}${base}`);
    const message = textMessage("user", "word-1");
    const request = { model, messages: [message] };
    expect(await textOfStream(client.stream(request))).toBe("word-1");
    message.parts = [{ type: "text", text: "word-2" }];
    expect(await textOfStream(client.stream(request))).toBe("word-2");
  });

  test("that were aborted before their start send nothing", async () => {
    await using server = await startServer(echo);
    const client = clientOf(family, `${server.url}${base}`);
    await textOfStream(client.stream(ask(model, "word-1")));
    const late = textOfStream(client.stream(ask(model, "word-2", { signal: AbortSignal.abort() })));
    await expect(late).rejects.toSatisfy((error) => EngineError.is(error, "llm.aborted"));
    expect(server.requests).toHaveLength(1);
  });
});
