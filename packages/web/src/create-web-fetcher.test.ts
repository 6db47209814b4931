import { EngineError, type WebFetchOptions, type WebPage } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startServer } from "../test/start-server.ts";
import { createWebFetcher } from "./index.ts";
import { readPage } from "./page/read-page.ts";

interface Answer {
  readonly type?: string;
  readonly body: string | Uint8Array;
  readonly status?: number;
}

async function fetchPage({ type, body, status = 200 }: Answer, options: WebFetchOptions = {}): Promise<WebPage> {
  await using server = await startServer((_, response) => {
    response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);
  });
  const page = await createWebFetcher({ allowedOrigins: [server.origin] }).fetch(`${server.origin}/dir/page`, options);
  return { ...page, url: page.url.replace(server.origin, ""), content: page.content.replaceAll(server.origin, "") };
}

const PAGE = `<!doctype html><html><head><title> A &amp; B </title><style>p{color:red}</style></head><body>
<script>alert("never")</script>
<h1>Heading</h1><p>Some <b>bold</b> text with a <a href="../other?x=1&amp;y=2">link</a> and <a href="javascript:x()">none</a>.</p>
<ul><li>one</li><li>two</li></ul><pre><code>a &lt; b
  c</code></pre></body></html>`;

test("a page is returned as Markdown with absolute links and without scripts [loop-3.6-5]", async () => {
  const page = await fetchPage({ type: "text/html; charset=utf-8", body: PAGE });
  expect(page).toMatchObject({ url: "/dir/page", status: 200, mediaType: "text/html", title: "A & B" });
  expect(page.content).toBe(
    [
      "# Heading",
      "Some **bold** text with a [link](/other?x=1&y=2) and none.",
      "-   one\n-   two",
      "```\na < b\n  c\n```",
    ].join("\n\n"),
  );
});

test("a page is returned as plain text or unchanged, if this is requested", async () => {
  const plain = await fetchPage({ type: "text/html", body: PAGE }, { format: "text" });
  expect(plain).toMatchObject({ title: "A & B" });
  expect(plain.content).toBe("Heading\n\nSome bold text with a link and none.\n\none\n\ntwo\n\na < b\nc");
  expect((await fetchPage({ type: "text/html", body: PAGE }, { format: "raw" })).content).toBe(PAGE);
});

test("an article is returned without navigation and other surrounding elements", async () => {
  const paragraph = `<p>${"A sentence of the article, with commas, and some length to it. ".repeat(8)}</p>`;
  const article = `<article><h1>Story</h1>${paragraph.repeat(6)}</article>`;
  const body = `<html><head><title>Story</title></head><body><nav>Home About Contact</nav>${article}<footer>Imprint</footer></body></html>`;
  const { content } = await fetchPage({ type: "text/html", body });
  expect(content).toContain("A sentence of the article");
  expect(content).not.toMatch(/Contact|Imprint/);
});

test.each([
  { type: "text/plain", body: "plain <b>" },
  { type: "application/json", body: '{"a":1}' },
  { type: "application/problem+json", body: "{}" },
  { type: "application/xml", body: "<a/>" },
  { type: "text/plain; charset=iso-8859-1", body: Buffer.from("grün", "latin1"), content: "grün" },
  { type: "text/plain; charset=unknown", body: "grün" },
  { type: "text/html", body: Buffer.from('<meta charset="windows-1252"><p>grün', "latin1"), content: "grün" },
  { type: "text/plain", body: Buffer.from("\uFEFFgrün", "utf16le"), content: "grün" },
])("text is text: $type", async ({ type, body, content = String(body) }) => {
  expect((await fetchPage({ type, body })).content).toBe(content);
});

test.each(["image/png", "application/pdf", "application/octet-stream", undefined])(
  "content that is not text is refused: %s",
  async (type) => {
    const refused = fetchPage({ body: "bytes", ...(type === undefined ? {} : { type }) });
    await expect(refused).rejects.toThrow(EngineError);
    await expect(refused).rejects.toMatchObject({ code: "web.unsupported_type" });
  },
);

test("an error of the server is a page with its status", async () => {
  expect(await fetchPage({ type: "text/html", status: 404, body: "<h1>Nothing here</h1>" })).toMatchObject({
    status: 404,
    content: "# Nothing here",
  });
});

function manyNames(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}`).join(" ");
}

test("parsing a page never blocks the event loop for long", async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  await readPage(`<p ${manyNames(50_000)}>deep`, "http://example.org/", "markdown");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

describe("a hostile page", () => {
  test.each([
    { kind: "deeply nested", html: `${"<div>".repeat(50_000)}deep` },
    { kind: "nested in many formats", html: `${"<b><i><a>".repeat(3_000)}deep` },
    { kind: "of tables in tables", html: `${"<table><tr><td>".repeat(3_000)}deep` },
    { kind: "very long", html: `<p>${"deep ".repeat(400_000)}` },
    { kind: "of tags that never end", html: `deep${"<a ".repeat(200_000)}` },
    { kind: "of comments that never end", html: `deep${"<!--".repeat(200_000)}` },
    { kind: "of a tag with very many attributes", html: `<p ${manyNames(100_000)}>deep` },
    { kind: "of lists in lists with very many lines", html: `${"<ul><li>".repeat(190)}deep${"x<br>".repeat(5_000)}` },
    { kind: "of very many links", html: "<a href=x>deep</a>".repeat(50_000) },
    { kind: "of titles that never end", html: `deep${"<title ".repeat(100_000)}` },
  ])("$kind is read in time", async ({ html }) => {
    const started = performance.now();
    const { content } = await readPage(html, "http://example.org/", "markdown");
    expect(content).toContain("deep");
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  test("of any kind is read without an error", async () => {
    const tag = fc.constantFrom(
      "<p>",
      "</p>",
      "<table>",
      "<td>",
      "<b>",
      "</i>",
      "<script>",
      "<!--",
      "<svg>",
      "<a href=",
      "&amp;",
      "&#x110000;",
      "<",
      ">",
      '"',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(tag, fc.string())), async (pieces) => {
        const { content } = await readPage(pieces.join(""), "http://example.org/", "markdown");
        expect(typeof content).toBe("string");
      }),
    );
  });
});
