import { EngineError, type Envelope } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ClientOptions, createClient, type SwitchyardClient } from "../src/index.ts";
import { DELTA, END, json, openPeer, type Peer, problem, stored, stream } from "./open-peer.ts";

const TOKEN = "the-token-of-nobody-0123456789";
const ASK = { messages: [{ role: "user" as const, content: "Do it." }] };

/** Creates a client that does not wait between retries, but records the delays. */
function clientOf(
  peer: Pick<Peer, "url">,
  more: Partial<ClientOptions> = {},
): { client: SwitchyardClient; waits: number[] } {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  return { waits, client: createClient({ url: peer.url, token: TOKEN, sleep, random: () => 1, ...more }) };
}

async function collect(
  events: AsyncGenerator<Envelope, unknown>,
): Promise<{ types: string[]; seqs: number[]; end: unknown }> {
  const [types, seqs]: [string[], number[]] = [[], []];
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return { types, seqs, end: value };
    types.push(value.type);
    if (value.seq !== undefined) seqs.push(value.seq);
  }
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("requests", () => {
  test("a request has the token in a header, a path below the server's address and a JSON body", async () => {
    const peer = await openPeer(json(201, { run_id: "r" }));
    await clientOf({ url: `${peer.url}/below/` }).client.runs.create(ASK, { webhookUrl: "https://example.com/done" });
    const [asked] = peer.asked;
    expect(asked?.line).toBe("POST /below/v1/runs");
    expect(asked?.headers["authorization"]).toBe(`Bearer ${TOKEN}`);
    expect(JSON.parse(asked?.body ?? "")).toEqual({ input: ASK, webhook_url: "https://example.com/done" });
  });

  test("ids and paths in responses are not changed", async () => {
    const peer = await openPeer(json(200, { run_id: "r", artifacts: [] }));
    const { runs } = clientOf(peer).client;
    await runs.get("../../admin?x=1#y");
    for await (const _ of await runs.artifact("r", "a b/../ä#?.txt"));
    await runs.list({ status: ["failed", "error"], owner: "a&b", limit: 2, cursor: "c" });
    expect(peer.asked.map(({ line }) => line)).toEqual([
      "GET /v1/runs/..%2F..%2Fadmin%3Fx%3D1%23y",
      expect.stringMatching(/^GET \/v1\/runs\/r\/a/u),
      "GET /v1/runs?limit=2&status=failed%2Cerror&owner=a%26b&cursor=c",
    ]);
  });

  test("if the response to a creation is lost, the request is repeated with the same idempotency key", async () => {
    const peer = await openPeer(
      (response) => response.destroy(),
      problem(503, "server.draining", { retryable: true, retry_after: 3 }),
      json(201, { run_id: "r" }),
    );
    const { client, waits } = clientOf(peer);
    expect((await client.runs.create(ASK)).run_id).toBe("r");
    const keys = peer.asked.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(waits).toEqual([250, 3000]);
  });

  test("calls that are not idempotent are not retried", async () => {
    const peer = await openPeer(problem(503, "server.draining", { retryable: true }));
    const { client } = clientOf(peer);
    expect(await failureOf(client.runs.steer("r", "go"))).toMatchObject({ code: "server.draining" });
    expect(await failureOf(client.run(ASK))).toMatchObject({ code: "server.draining" });
    expect(peer.asked).toHaveLength(2);
  });

  test("the number of retries is limited, and the waits grow up to a maximum", async () => {
    const peer = await openPeer((response) => response.destroy());
    const { client, waits } = clientOf(peer, { retries: 9 });
    expect(await failureOf(client.runs.list())).toMatchObject({ code: "server.unreachable" });
    expect(peer.asked).toHaveLength(10);
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test.each([
    [404, "server.unknown_run", "not_found"],
    [409, "server.run_at_work", "conflict"],
    [422, "server.key_reused", "validation"],
    [429, "server.queue_full", "rate_limit"],
    [418, "server.of_tomorrow", "internal"],
  ])("a refusal %i %s is an error of the error table with the server's message", async (status, code, errorClass) => {
    const peer = await openPeer(problem(status, code, status === 429 ? { retry_after: 7, retryable: false } : {}));
    const error = await failureOf(clientOf(peer).client.runs.get("r"));
    expect(EngineError.is(error)).toBe(true);
    expect(error).toMatchObject({
      ...{ status, class: errorClass, message: "It is not so.", remedy: "Do that.", retryable: false },
      code: code === "server.of_tomorrow" ? "server.refused" : code,
      retryAfterMs: status === 429 ? 7000 : undefined,
    });
  });

  test.each([
    ["a page of something else", json(404, "<html>")],
    ["half an answer", (response: Parameters<ReturnType<typeof json>>[0]) => response.writeHead(200).end('{"run_id":')],
    ["a list", json(200, null)],
    ["a redirect that would take the token along", json(302, {}, { location: "http://127.0.0.1:1/" })],
  ])("the error for %s does not contain the token", async (_, answer) => {
    const peer = await openPeer(answer);
    const error = await failureOf(clientOf(peer, { retries: 0 }).client.runs.get("r"));
    expect(EngineError.is(error, "server.bad_answer") || EngineError.is(error, "server.unreachable")).toBe(true);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(TOKEN);
  });

  test.each([
    [{ url: "127.0.0.1:8787" }, "url"],
    [{ url: "ftp://127.0.0.1" }, "url"],
    [{ url: `http://user:${TOKEN}@127.0.0.1` }, "url"],
    [{ url: `http://127.0.0.1/?token=${TOKEN}` }, "url"],
    [{ url: "http://127.0.0.1", token: `${TOKEN}\nx: y` }, "token"],
  ])("the token or address %j is refused immediately and not shown", (options, field) => {
    const make = (): unknown => {
      try {
        return createClient(options);
      } catch (error) {
        return error;
      }
    };
    const error = make();
    expect(error).toMatchObject({ code: "config.invalid", details: { field } });
    expect(String(error)).not.toContain(TOKEN);
  });

  test("an aborted call rejects with the reason of its signal", async () => {
    const peer = await openPeer(() => undefined);
    const controller = new AbortController();
    const call = failureOf(clientOf(peer).client.runs.get("r", { signal: controller.signal }));
    controller.abort(new Error("enough"));
    expect(await call).toMatchObject({ message: "enough" });
  });
});

describe("events", () => {
  test("each event arrives once and in order, even if connections break, end and repeat events", async () => {
    const peer = await openPeer(
      stream([stored(1), DELTA, stored(2), 'id: r.3\ndata: {"type":"st'], "break"),
      (response) => response.destroy(),
      stream([stored(2), stored(3)]),
      problem(503, "server.draining", { retryable: true }),
      stream(['event: draining\ndata: {"run_id":"r"}\n\n']),
      stream([":\n\n", stored(4), END]),
    );
    const { client } = clientOf(peer);
    const { types, seqs, end } = await collect(client.runs.events("r"));
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect(types.filter((type) => type === "assistant_text_delta").length).toBeLessThanOrEqual(1);
    expect(end).toBe("completed");
    expect(peer.asked.map(({ headers }) => headers["last-event-id"])).toEqual([
      ...[undefined, "r.2", "r.2", "r.3", "r.3", "r.3"],
    ]);
  });

  test("events start after the last event that the caller has", async () => {
    const peer = await openPeer(stream([stored(8), END]));
    expect((await collect(clientOf(peer).client.runs.events("r", { afterSeq: 7 }))).seqs).toEqual([8]);
    expect(peer.asked[0]?.headers["last-event-id"]).toBe("r.7");
  });

  test("a connection without a heartbeat is replaced by a new one", async () => {
    const peer = await openPeer(stream([stored(1)], "hold"), stream([stored(2), END]));
    expect((await collect(clientOf(peer, { stallMs: 50 }).client.runs.events("r"))).seqs).toEqual([1, 2]);
  });

  test("a server that stays unreachable, or closes every connection, is finally an error", async () => {
    for (const answer of [stream([]), problem(503, "server.draining", { retryable: true })]) {
      const peer = await openPeer(answer);
      const { client, waits } = clientOf(peer, { retries: 3 });
      const error = await failureOf(collect(client.runs.events("r")));
      expect(EngineError.is(error) && error.class).toBe("not_available");
      expect(waits).toHaveLength(3);
    }
  });

  test.each([
    ["no such run", problem(404, "server.unknown_run"), "server.unknown_run"],
    ["no token", problem(401, "server.unauthorized"), "server.unauthorized"],
    ["a run that is removed meanwhile", stream(['event: deleted\ndata: {"run_id":"r"}\n\n']), "server.unknown_run"],
    ["a log that cannot be read", stream(['event: problem\ndata: {"detail":"no"}\n\n']), "server.bad_answer"],
    ["an event that is none", stream(["data: {}\n\n"]), "server.bad_answer"],
    ["an event that is not JSON", stream(["data: {\n\n"]), "server.bad_answer"],
  ])("%s ends the events immediately", async (_, answer, code) => {
    const peer = await openPeer(answer);
    expect(await failureOf(collect(clientOf(peer).client.runs.events("r")))).toMatchObject({ code });
    expect(peer.asked).toHaveLength(1);
  });

  test("a loop that is left early closes the connection", async () => {
    let closed: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const peer = await openPeer((response, request) => {
      response.on("close", () => closed());
      stream([stored(1)], "hold")(response, request);
    });
    for await (const _ of clientOf(peer).client.runs.events("r")) break;
    await left;
  });

  test("an aborted signal ends the events with its reason", async () => {
    const peer = await openPeer(stream([stored(1)], "hold"));
    const controller = new AbortController();
    const events = clientOf(peer).client.runs.events("r", { signal: controller.signal });
    expect((await events.next()).value).toMatchObject({ seq: 1 });
    controller.abort(new Error("enough"));
    expect(await failureOf(events.next())).toMatchObject({ message: "enough" });
  });

  test("every event arrives once, wherever the bytes are split and connections break", async () => {
    const whole = Buffer.from([1, 2, 3, 4, 5].map(stored).join(""));
    const frames = [1, 2, 3, 4, 5].map((seq) => Buffer.from(stored(seq)));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 6 }), fc.nat(whole.length), async (cuts, broken) => {
        const places = [...new Set([0, ...cuts, whole.length])].sort((a, b) => a - b);
        let isFirst = true;
        const fetch: typeof globalThis.fetch = async (_, init) => {
          const seen = Number(new Headers(init?.headers).get("last-event-id")?.slice(2) ?? 0);
          const bytes = isFirst ? whole.subarray(0, broken) : Buffer.concat([...frames.slice(seen), Buffer.from(END)]);
          const pieces = isFirst ? places.map((at, index) => bytes.subarray(at, places[index + 1])) : [bytes];
          isFirst = false;
          return new Response(
            new ReadableStream({
              start(controller) {
                for (const piece of pieces) if (piece.length > 0) controller.enqueue(new Uint8Array(piece));
                controller.close();
              },
            }),
          );
        };
        const { client } = clientOf({ url: "http://127.0.0.1:1" }, { fetch });
        expect((await collect(client.runs.events("r"))).seqs).toEqual([1, 2, 3, 4, 5]);
      }),
      { numRuns: 60 },
    );
  });
});
