import type { IncomingMessage } from "node:http";
import { EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { startServer } from "../../test/start-server.ts";
import { createWebSearcher, type WebSearchBackend } from "../index.ts";

const KEY = "key-of-the-search-service";
const apiKey = { reveal: (): string => KEY };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function failureOf(work: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!EngineError.is(error)) throw new Error("it did not fail with an error of the table");
  return error;
}

describe("a search", () => {
  test("of an instance of SearXNG gives its hits, as many as are asked for", async () => {
    const results = Array.from({ length: 30 }, (_, index) => ({
      ...{ title: `Page ${index}`, url: `https://example.org/${index}`, content: "some <b>words</b>\u001b[2J" },
    }));
    await using server = await startServer((_, response) => response.end(JSON.stringify({ results })));
    const searcher = createWebSearcher({ kind: "searxng", url: `${server.origin}/sub/` });
    expect(await searcher.search("a & b", { maxResults: 2 })).toEqual([
      { title: "Page 0", url: "https://example.org/0", snippet: "some words [2J" },
      { title: "Page 1", url: "https://example.org/1", snippet: "some words [2J" },
    ]);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /sub/search?q=a+%26+b&format=json",
    ]);
  });

  test("of Brave sends the key in a header, and gives nothing where nothing was found", async () => {
    const answers: unknown[] = [
      { type: "search", web: { results: [{ title: "One", url: "https://one.example/", description: "first" }] } },
      { type: "search" },
    ];
    await using server = await startServer((_, response) => response.end(JSON.stringify(answers.shift())));
    const searcher = createWebSearcher({ kind: "brave", apiKey, url: `${server.origin}/v1` });
    expect(await searcher.search("one")).toEqual([{ title: "One", url: "https://one.example/", snippet: "first" }]);
    expect(await searcher.search("none")).toEqual([]);
    expect(server.requests.map(({ headers }) => headers["x-subscription-token"])).toEqual([KEY, KEY]);
    expect(server.requests.some(({ url }) => url?.includes(KEY))).toBe(false);
  });

  test("of Tavily is a POST with the key in a header", async () => {
    const bodies: Promise<string>[] = [];
    const results = [{ title: "One", url: "https://one.example/", content: "first" }];
    await using server = await startServer((request, response) => {
      bodies.push(bodyOf(request));
      response.end(JSON.stringify({ results }));
    });
    const searcher = createWebSearcher({ kind: "tavily", apiKey, url: `${server.origin}/search` });
    expect(await searcher.search("one", { maxResults: 50 })).toHaveLength(1);
    expect(JSON.parse((await bodies[0]) ?? "")).toEqual({ query: "one", max_results: 20 });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("gives hits that lead to pages alone", async () => {
    const urls = ["javascript:alert(1)", "file:///etc/passwd", "https://a:b@example.org/", "no address", 7];
    const results = [...urls.map((url) => ({ title: "bad", url })), { title: "", url: "https://good.example/" }];
    await using server = await startServer((_, response) => response.end(JSON.stringify({ results })));
    const found = await createWebSearcher({ kind: "searxng", url: server.origin }).search("x");
    expect(found).toEqual([{ title: "https://good.example/", url: "https://good.example/" }]);
  });
});

describe("a key", () => {
  test("does not follow a redirect, wherever it leads", async () => {
    await using other = await startServer((_, response) => response.end("{}"));
    await using server = await startServer((_, response) =>
      response.writeHead(307, { location: `${other.origin}/` }).end(),
    );
    for (const kind of ["brave", "tavily"] as const) {
      const error = await failureOf(createWebSearcher({ kind, apiKey, url: server.origin }).search("x"));
      expect(error.code).toBe("web.too_many_redirects");
    }
    expect(other.requests).toEqual([]);
  });

  test.each([401, 403, 429, 500])("is in no message when the service answers with %i", async (status) => {
    await using server = await startServer((_, response) => response.writeHead(status).end(KEY));
    const error = await failureOf(createWebSearcher({ kind: "brave", apiKey, url: server.origin }).search("x"));
    expect(error.code).toBe("web.failed");
    expect(error.message).toContain(`status ${status}`);
    expect(JSON.stringify(error.toWire())).not.toContain(KEY);
  });
});

describe("an instance", () => {
  test("that leads into a private network by a redirect or a name is not followed there", async () => {
    await using secret = await startServer((_, response) => response.end("{}"));
    await using server = await startServer((_, response) =>
      response.writeHead(302, { location: `${secret.origin}/` }).end(),
    );
    const error = await failureOf(createWebSearcher({ kind: "searxng", url: server.origin }).search("x"));
    expect(error.code).toBe("web.address_refused");
    const findAddresses = async () => [{ address: "127.0.0.1", family: 4 }];
    const named = createWebSearcher({ kind: "brave", apiKey }, { findAddresses });
    expect((await failureOf(named.search("x"))).code).toBe("web.address_refused");
    expect(secret.requests).toEqual([]);
  });

  test.each([
    ["pages", "<html>", "in JSON"],
    ["another JSON", "[]", "in JSON"],
    ["too much", "x".repeat(10_000), "larger than 1000 bytes"],
  ])("that sends %s is an error", async (_, text, problem) => {
    await using server = await startServer((_request, response) => response.end(text));
    const searcher = createWebSearcher({ kind: "searxng", url: server.origin }, { maxBytes: 1_000 });
    expect((await failureOf(searcher.search("x"))).message).toContain(problem);
  });

  test("without an address is refused at once", () => {
    for (const url of ["", "file:///etc", "example.org"]) {
      const backend: WebSearchBackend = { kind: "searxng", url };
      expect(() => createWebSearcher(backend)).toThrow("not an http or https address");
    }
  });
});
