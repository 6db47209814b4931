import type { Client, ModelRequest } from "@switchyard/contracts";
import { inertEnvironment, scriptedClient, text, toolCall } from "@switchyard/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect, tool } from "../../test/run-session.ts";
import { KnownIds } from "../conversation/known-ids.ts";
import { createAnthropicProfile, Session, type SessionOptions } from "../index.ts";

const ROUNDS = 40;

/** Wraps a client to store requests without reading their messages. */
function keeping(client: Client): Client & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const stream: Client["stream"] = (request) => {
    requests.push(request);
    return client.stream(request);
  };
  return { complete: client.complete, stream, close: client.close, requests };
}

async function converse(options: Partial<SessionOptions> = {}): Promise<ModelRequest[]> {
  const steps = Array.from({ length: ROUNDS }, (_, index) => toolCall("look", { index }));
  const client = keeping(unread([...steps, text("done")]));
  const session = new Session({
    profile: createAnthropicProfile({ model: "m" }),
    environment: inertEnvironment(),
    client,
    tools: [tool("look", () => "seen")],
    ...options,
  });
  await collect(session.submit("go"));
  return client.requests;
}

/** Creates a client that responds without reading the request. */
function unread(steps: Parameters<typeof scriptedClient>[0]): Client {
  const scripted = scriptedClient(steps);
  const emptyRequest: ModelRequest = { model: "m", messages: [] };
  return {
    complete: (request) => scripted.complete({ ...emptyRequest, signal: request.signal }),
    stream: (request) => scripted.stream({ ...emptyRequest, signal: request.signal }),
    close: scripted.close,
  };
}

test("a stored request does not grow, even if it is read late", async () => {
  const requests = await converse();
  // The system prompt and the input, then a response and its results per round.
  const lengths = Array.from({ length: ROUNDS + 1 }, (_, round) => 2 + 2 * round);
  expect(requests.map(({ messages }) => messages.length)).toEqual(lengths);
  expect(requests.map((request) => ({ ...request }).messages.length)).toEqual(lengths);
  expect(requests.map((request) => JSON.parse(JSON.stringify(request)).messages.length)).toEqual(lengths);
  const last = requests.at(-1);
  expect(last?.messages).toBe(last?.messages);
});

test("a hook may change a request in place, also that of a long conversation", async () => {
  const requests = await converse({
    hooks: {
      beforeModelCall: (request) => {
        request.messages = request.messages.slice(-1);
        return request;
      },
    },
  });
  expect(requests.map(({ messages }) => messages.length)).toEqual(Array(ROUNDS + 1).fill(1));
});

test("ids are known once they were seen, few and many", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99 }).map(String), { maxLength: 200 }), (ids) => {
      const known = new KnownIds();
      const expected = new Set<string>();
      for (const id of ids) {
        expect(known.has(id)).toBe(expected.has(id));
        known.add(id);
        expected.add(id);
        expect(known.has(id)).toBe(true);
        expect(known.size).toBeGreaterThanOrEqual(Math.min(expected.size, 32));
      }
    }),
  );
});
