import { describe, expect, test } from "vitest";
import { type Handler, sseProbe, startHttp, streamableToolbox } from "./http-servers.ts";
import { failureOf, openServers, until } from "./open-servers.ts";

const TOKEN = "t0ken-of-the-server-on-the-network";

describe("a server over HTTP", () => {
  test("offers its tools, executes calls and receives the end of the session [loop-8-1]", async () => {
    const { handle, sessions } = streamableToolbox();
    await using http = await startHttp(handle);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains a variable reference.
    const box = { url: http.url, headers: { Authorization: "Bearer ${TOKEN}" } };
    await using servers = await openServers({ box }, { env: { TOKEN } });
    expect(servers.connections.servers()).toEqual([{ name: "box", state: "ready", tools: 12 }]);
    expect(await servers.call("box__add", { a: 2, b: 3 })).toMatchObject({ content: "5" });
    const updates: string[] = [];
    const controller = new AbortController();
    const work = servers.call(
      "box__work",
      {},
      {
        signal: controller.signal,
        onUpdate: (text) => {
          updates.push(text);
          controller.abort();
        },
      },
    );
    expect((await work).isError).toBe(true);
    expect(updates).toEqual(["1/2 half\n"]);
    expect((await servers.call("box__cancelled")).content).toBe("1");
    expect(http.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
    // The client must not reveal the path of the workspace to remote servers.
    expect(http.requests[0]?.body).not.toContain("roots");
    expect(sessions.size).toBe(1);
    await servers.connections[Symbol.asyncDispose]();
    expect(sessions.size).toBe(0);
  });

  test("that lost its session gets a new session, and the call is repeated in it", async () => {
    const { handle, sessions } = streamableToolbox();
    await using http = await startHttp(handle);
    await using servers = await openServers({ box: { url: http.url } });
    sessions.clear();
    expect((await servers.call("box__add", { a: 1, b: 1 })).content).toBe("2");
    expect(sessions.size).toBe(1);
  });

  test("that is gone is an error for the call, and the next call connects again", async () => {
    const { handle } = streamableToolbox();
    const http = await startHttp(handle);
    await using servers = await openServers({ box: { url: http.url } });
    await http[Symbol.asyncDispose]();
    const failure = await failureOf(servers.call("box__add", { a: 1, b: 1 }));
    expect(failure.code).toBe("mcp.unavailable");
    expect(failure.message).toContain("fetch failed");
    await using again = await startHttp(streamableToolbox().handle, Number(new URL(http.url).port));
    await until(servers.connections, () => servers.connections.servers()[0]?.state !== "ready");
    expect((await servers.call("box__add", { a: 1, b: 1 })).content).toBe("2");
    expect(again.requests.length).toBeGreaterThan(0);
  });

  test("with the older transport is reached when it refuses the newer one", async () => {
    await using http = await startHttp(sseProbe());
    await using servers = await openServers({ old: { url: http.url }, named: { url: http.url, transport: "sse" } });
    expect((await servers.call("named__probe")).content).toBe("over sse");
    expect(servers.connections.servers()).toMatchObject([{ state: "ready" }, { state: "ready" }]);
  });

  test.each<[string, Handler, RegExp]>([
    ["forbids it", (_, response) => void response.writeHead(401).end("no entry"), /401|authoriz|entry/i],
    [
      "sends pages",
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      /content type/i,
    ],
    [
      "answers with nonsense",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{"),
      /./,
    ],
    [
      "leads elsewhere",
      (_, response) => void response.writeHead(307, { location: "http://127.0.0.1:9/mcp" }).end(),
      /not followed/,
    ],
    ["never answers", () => {}, /within 500 ms/],
    [
      "sends too much",
      (_, response) =>
        void response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(300_000)}"`),
      /more than 100000 bytes/,
    ],
  ])("that %s has failed", async (_, handle, problem) => {
    await using http = await startHttp(handle);
    const bad = { url: http.url, transport: "http" as const, timeouts: { startMs: 500 } };
    await using servers = await openServers({ bad }, { maxMessageBytes: 100_000 });
    const [status] = servers.connections.servers();
    expect(status).toMatchObject({ state: "failed", problem: expect.stringMatching(problem) });
  });

  test("receives nothing if its configuration is invalid", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains variable references.
    const unset = { url: "http://127.0.0.1:9/", headers: { Authorization: "Bearer ${NOT_SET}" } };
    const servers = { unset, file: { url: "file:///etc/passwd" }, half: { url: "http://x/", headers: { a: "b\nc" } } };
    await using opened = await openServers(servers, { env: { toString: undefined } });
    expect(opened.connections.servers().map(({ problem }) => problem)).toEqual([
      "The setting mcpServers.unset.headers.Authorization is invalid: the variable NOT_SET is not set",
      "The setting mcpServers.file.url is invalid: it is not an http or https address",
      expect.stringMatching(/^The setting mcpServers\.half\.headers is invalid/),
    ]);
  });
});
