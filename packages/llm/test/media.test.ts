import { EngineError, type Message } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { answerJson, answerSse, startServer } from "./loopback-server.ts";
import { COMPLETE, streamOf } from "./wire-answers.ts";

const BYTES = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const BASE64 = Buffer.from(BYTES).toString("base64");

describe.each(FAMILIES)("files for $family", ({ family, model, base }) => {
  const image = { type: "image", mediaType: "image/png", path: "shots/a.png" } as const;
  const shown: Message = { role: "user", parts: [{ type: "text", text: "What is this?" }, image] };

  test("images with a path are read by the given reader, also those in tool results [client-messages-3]", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const paths: string[] = [];
    const readFile = async (path: string): Promise<Uint8Array> => {
      paths.push(path);
      return BYTES;
    };
    const client = clientOf(family, `${server.url}${base}`, { readFile });
    await client.complete(ask(model, "", { messages: [shown] }));
    const call = { type: "tool_call", id: "c1", name: "look", arguments: "{}" } as const;
    const result = { type: "tool_result", toolCallId: "c1", name: "look", content: "see", isError: false } as const;
    await client.complete(
      ask(model, "", {
        messages: [
          { role: "user", parts: [{ type: "text", text: "go" }] },
          { role: "assistant", parts: [call] },
          { role: "tool", parts: [{ ...result, images: [image] }] },
        ],
      }),
    );
    expect(paths).toEqual(["shots/a.png", "shots/a.png"]);
    for (const request of server.requests) {
      expect(request.text).toContain(BASE64);
      expect(request.text).not.toContain("shots/a.png");
    }
  });

  test("without a reader, or if it fails, the part is refused and nothing is sent", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const readers = [undefined, () => Promise.reject(Object.assign(new Error("gone"), { code: "ENOENT" }))];
    for (const readFile of readers) {
      const call = clientOf(family, `${server.url}${base}`, { readFile }).complete(
        ask(model, "", { messages: [shown] }),
      );
      const error = await call.catch((caught: unknown) => caught);
      expect(EngineError.is(error, "llm.unsupported_part") && error.retryable).toBe(false);
    }
    expect(server.requests).toEqual([]);
  });

  test("the provider's raw data is passed on only if the request asks for it [client-response-3]", async () => {
    await using completeServer = await startServer(answerJson(COMPLETE[family]));
    const client = clientOf(family, `${completeServer.url}${base}`);
    expect((await client.complete(ask(model, "hi", { includeRaw: true }))).raw).toEqual(COMPLETE[family]);
    expect(await client.complete(ask(model))).not.toHaveProperty("raw");
    const events = streamOf(family, ["Hel", "lo"]);
    await using streamed = await startServer(answerSse(events));
    const other = clientOf(family, `${streamed.url}${base}`);
    const last = (await collect(other.stream(ask(model, "hi", { includeRaw: true })))).at(-1);
    expect(last).toMatchObject({ type: "finish", response: { raw: events } });
  });

  test("a document is sent as bytes, with its name if the vendor accepts one [client-messages-4]", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const data = Buffer.from("%PDF-1.4 a page").toString("base64");
    const document = { type: "document", mediaType: "application/pdf", data, name: "plan.pdf" } as const;
    await clientOf(family, `${server.url}${base}`).complete(
      ask(model, "", { messages: [{ role: "user", parts: [document] }] }),
    );
    const [seen] = server.requests;
    expect(seen?.text).toContain(data);
    expect(seen?.text).toContain(family === "openai" ? "input_file" : "application/pdf");
    if (family !== "gemini") expect(seen?.text).toContain("plan.pdf");
  });

  test("audio is sent to models that support it, and refused elsewhere before anything is sent [client-messages-4]", async () => {
    await using server = await startServer(answerJson(COMPLETE[family]));
    const audio = { type: "audio", mediaType: "audio/wav", data: BASE64 } as const;
    const call = clientOf(family, `${server.url}${base}`).complete(
      ask(model, "", { messages: [{ role: "user", parts: [audio] }] }),
    );
    if (family === "gemini") {
      await call;
      expect(server.requests[0]?.text).toContain("audio/wav");
      return;
    }
    await expect(call).rejects.toMatchObject({ code: "llm.unsupported_part" });
    expect(server.requests).toEqual([]);
  });

  test("limits reported by the provider are passed on [client-response-2]", async () => {
    const prefix = family === "anthropic" ? "anthropic-ratelimit-" : "x-ratelimit-";
    const named = (what: string, of: string): string =>
      `${prefix}${family === "anthropic" ? `${of}-${what}` : `${what}-${of}`}`;
    const headers = {
      [named("limit", "requests")]: "50",
      [named("remaining", "requests")]: "49",
      [named("limit", "tokens")]: "1000",
      [named("remaining", "tokens")]: "900",
      [named("reset", "requests")]: "2026-01-01T00:00:00Z",
    };
    await using server = await startServer(answerJson(COMPLETE[family], 200, headers));
    const { rateLimit } = await clientOf(family, `${server.url}${base}`).complete(ask(model));
    expect(rateLimit).toEqual({
      requestsLimit: 50,
      requestsRemaining: 49,
      tokensLimit: 1000,
      tokensRemaining: 900,
      resetAt: "2026-01-01T00:00:00Z",
    });
  });
});
