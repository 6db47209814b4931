import { EngineError, textOf } from "@switchyard/contracts";
import { answer, inertEnvironment, reasoning, scriptedClient, text, toolCall, toolCalls } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, counting, dataOf, gate, tool } from "../../test/run-session.ts";
import {
  createAnthropicProfile,
  createOpenAiProfile,
  createSummaryCompaction,
  parseSnapshot,
  Session,
  type SessionOptions,
  type SessionSnapshot,
} from "../index.ts";

function optionsOf(steps: Parameters<typeof scriptedClient>[0], options: Partial<SessionOptions> = {}) {
  const client = scriptedClient(steps);
  return {
    profile: createAnthropicProfile({ model: "claude" }),
    environment: inertEnvironment(),
    tools: [counting("look", "readonly"), tool("act", () => "acted")],
    ...options,
    client,
  };
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
}

/** Serializes and parses a snapshot. */
function written(snapshot: SessionSnapshot): unknown {
  return JSON.parse(JSON.stringify(snapshot));
}

/** Creates a snapshot of a session with one round. */
async function savedRound(): Promise<SessionSnapshot> {
  const session = new Session(optionsOf([answer(reasoning("hm"), toolCall("look")), text("done")]));
  await collect(session.submit("go"));
  return session.save();
}

describe("a saved session", () => {
  test("continues from its state: id, turns, usage, prompt and waiting messages", async () => {
    const first = new Session(optionsOf([toolCall("look"), text("done")], { config: { maxTurns: 5 } }));
    await collect(first.submit("go"));
    first.steer("Mind the gap.");
    const saved = written(first.save());
    const options = optionsOf([text("more")]);
    const second = Session.load(saved, options);
    expect([second.id, second.state, second.turns, second.usage]).toEqual([first.id, "idle", 2, first.usage]);
    expect(second.history).toEqual(first.history);
    expect(second.firstTurn).toBe(0);
    await collect(second.submit("on"));
    const [request] = options.client.requests;
    expect(request?.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant"],
      ...["user", "user"],
    ]);
    expect(textOf(request?.messages.at(-1) ?? { parts: [] })).toBe("Mind the gap.");
    expect(second.turns).toBe(3);
  });

  test("is a copy that the session does not change any more", async () => {
    const session = new Session(optionsOf([text("one"), text("two")]));
    await collect(session.submit("go"));
    const saved = session.save();
    const before = JSON.stringify(saved);
    await collect(session.submit("on"));
    expect(JSON.stringify(saved)).toBe(before);
    expect(session.save().boundary.turns).toHaveLength(4);
  });

  test("can be taken while working: the loaded one continues with the input, and repeats only safe calls", async () => {
    const { opened, open } = gate();
    const slow = tool("slow", () => opened.then(() => "slowly"));
    const look = counting("look", "readonly");
    const calls = toolCalls([
      { name: "look", arguments: {} },
      { name: "slow", arguments: {} },
    ]);
    const first = new Session(optionsOf([calls, text("done")], { tools: [look, slow] }));
    const events = first.submit("go");
    let saved: unknown;
    for await (const event of events) {
      if (event.type !== "tool_call_end" || saved !== undefined) continue;
      saved = written(first.save());
      open();
    }
    expect(first.turns).toBe(2);
    const second = Session.load(saved, optionsOf([text("done")], { tools: [look, slow] }));
    await collect(second.resume());
    expect(second.history[2]).toMatchObject({
      results: [{ content: "look 2" }, { content: expect.stringMatching(/^unknown_outcome/) }],
    });
    expect(second.history.at(-1)).toMatchObject({ content: "done" });
  });

  test("that was working takes another input instead, and its calls are of unknown outcome [loop-2.5-27]", async () => {
    const kept: SessionSnapshot[] = [];
    const first: Session = new Session(
      optionsOf([toolCall("act"), text("done")], { onBoundary: async () => void kept.push(first.save()) }),
    );
    await collect(first.submit("go"));
    const [working] = kept;
    expect(working?.state).toBe("processing");
    const options = optionsOf([text("well")]);
    const second = Session.load(written(working ?? first.save()), options);
    await collect(second.submit("never mind"));
    expect(options.client.requests[0]?.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "user"],
    ]);
    expect(second.history[2]).toMatchObject({ results: [{ content: expect.stringMatching(/^unknown_outcome/) }] });
    expect(codeOf(() => second.resume())).toBe("config.invalid");
  });

  test("keeps its prompt for a model of the same family, and gets a new one for another", async () => {
    const saved = written(await savedRound());
    const same = optionsOf([text("on")], { profile: createAnthropicProfile({ model: "other" }) });
    await collect(Session.load(saved, same).submit("go on"));
    const other = optionsOf([text("on")], { profile: createOpenAiProfile({ model: "gpt" }) });
    await collect(Session.load(saved, other).submit("go on"));
    const prompts = [same, other].map(({ client }) => textOf(client.requests[0]?.messages[0] ?? { parts: [] }));
    expect(prompts[0]).toContain("Model: claude");
    expect(prompts[1]).toContain("Model: gpt");
    // Messages name the model that produced them, so that the client can drop content that only this model understands.
    const answered = other.client.requests[0]?.messages[2];
    expect(answered).toMatchObject({ origin: { provider: "scripted", model: "claude" } });
  });

  test("that waits for an answer waits on", async () => {
    const options = { isQuestion: (said: string) => said.endsWith("?") };
    const first = new Session(optionsOf([text("Which one?")], options));
    await collect(first.submit("go"));
    const second = Session.load(written(first.save()), optionsOf([text("ok")], options));
    expect(second.state).toBe("awaiting_input");
    await collect(second.submit("the red one"));
    expect(second.state).toBe("idle");
  });

  test("that is closed can be continued", async () => {
    const first = new Session(optionsOf([text("one")]));
    await collect(first.submit("go"));
    await first.close();
    const second = Session.load(written(first.save()), optionsOf([text("two")]));
    await collect(second.submit("on"));
    expect(second.history.map(({ type }) => type)).toEqual(["user", "assistant", "user", "assistant"]);
  });
});

describe("a saved session from outside", () => {
  test("is the saved session, or rejected with the problem", async () => {
    const saved = await savedRound();
    expect(parseSnapshot(written(saved))).toEqual(saved);
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ version: 0 }, /version/],
      [{ profile: 1 }, /model family/],
      [{ savedAt: null }, /time is missing/],
      [{ state: "asleep" }, /state of the session/],
      [{ boundary: { ...saved.boundary, turns: [{ type: "user" }] } }, /turn 1/],
      [{ boundary: { ...saved.boundary, progress: {} } }, /progress/],
    ];
    for (const [change, problem] of cases) {
      expect(() => parseSnapshot({ ...saved, ...change })).toThrow(problem);
    }
    expect(codeOf(() => parseSnapshot({ ...saved, version: 2 }))).toBe("snapshot.newer_format");
    const newer = { ...saved.boundary, progress: { ...saved.boundary.progress, version: 2 } };
    expect(codeOf(() => parseSnapshot({ ...saved, boundary: newer }))).toBe("snapshot.newer_format");
  });

  test("is rejected or loads, for any data and any change", async () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(codeOf(() => Session.load(value, optionsOf([])))).toBe("snapshot.invalid");
      }),
    );
    const saved = JSON.stringify(await savedRound());
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]): void => {
      paths.push(path);
      if (typeof value === "object" && value !== null) {
        for (const [name, item] of Object.entries(value)) walk(item, [...path, name]);
      }
    };
    walk(JSON.parse(saved), []);
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths.slice(1)) {
      for (const replacement of [null, -1, "x", [], {}, undefined]) {
        const changed: unknown = JSON.parse(saved);
        let place: object = Object(changed);
        for (const name of path.slice(0, -1)) place = Object(Reflect.get(place, name));
        Reflect.set(place, path.at(-1) ?? "", replacement);
        const options = optionsOf([text("on")]);
        const what = `${path.join(".")} = ${JSON.stringify(replacement)}`;
        const code = codeOf(() => Session.load(changed, options));
        expect(code ?? "snapshot.", what).toMatch(/^snapshot\./);
      }
    }
  });

  test("with calls in its message that its turn does not know is refused", async () => {
    const saved = JSON.parse(JSON.stringify(await savedRound()));
    saved.boundary.turns[1].message.parts.push({ type: "tool_call", id: "x", name: "look", arguments: "{}" });
    expect(() => parseSnapshot(saved)).toThrow(/turn 2/);
  });
});

describe("a fork", () => {
  test("continues from any turn with a new id, without affecting the session", async () => {
    const options = optionsOf([toolCall("look"), text("one"), text("two")]);
    const session = new Session(options);
    await collect(session.submit("go"));
    await collect(session.submit("on"));
    const before = JSON.stringify(session.history);
    for (const [turn] of session.history.entries()) {
      const client = scriptedClient([text("other")]);
      const fork = session.fork({ turn, client });
      expect(fork.id).not.toBe(session.id);
      expect([fork.turns, fork.usage.totalTokens, fork.state]).toEqual([0, 0, "idle"]);
      expect(fork.history.slice(0, turn + 1)).toEqual(session.history.slice(0, turn + 1));
      await collect(fork.submit("elsewhere"));
      const roles = client.requests[0]?.messages.map(({ role }) => role) ?? [];
      expect(roles.filter((role) => role === "tool")).toHaveLength(turn === 0 ? 0 : 1);
      // The fork has the same system prompt, so that it can use the provider's prompt cache.
      expect(client.requests[0]?.messages[0]).toEqual(options.client.requests[0]?.messages[0]);
    }
    expect(JSON.stringify(session.history)).toBe(before);
  });

  test("cut between a call and its result tells the model that the outcome is unknown [loop-2.5-27]", async () => {
    const session = new Session(optionsOf([toolCall("act"), text("one")]));
    await collect(session.submit("go"));
    const fork = session.fork({ turn: 1 });
    expect(fork.history[2]).toMatchObject({ results: [{ content: expect.stringMatching(/^unknown_outcome/) }] });
  });

  test("before a compaction contains the turns that the compaction hid", async () => {
    const compaction = createSummaryCompaction({ keepTurns: 0 });
    const steps = [text("x".repeat(3_000)), text("short")];
    const session = new Session(optionsOf(steps, { compaction }));
    await collect(session.submit("go"));
    await session.compact();
    const views = [1, 2].map(async (turn) => {
      const client = scriptedClient([text("on")]);
      await collect(session.fork({ turn, client }).submit("on"));
      return client.requests[0]?.messages.map(({ role }) => role);
    });
    expect(await Promise.all(views)).toEqual([
      ["system", "user", "assistant", "user"],
      ["system", "user", "user"],
    ]);
  });

  test("accepts other options, stores no state if the session does, and rejects a missing turn", async () => {
    const kept: unknown[] = [];
    const session = new Session(
      optionsOf([text("one"), toolCall("look"), text("two")], { onBoundary: async ({ kind }) => void kept.push(kind) }),
    );
    session.config.reasoningEffort = "high";
    session.config.model = "claude-small";
    await collect(session.submit("go"));
    const fork = session.fork({ createId: () => "mine", config: { maxTurns: 7 } });
    expect([fork.id, fork.config.reasoningEffort, fork.config.model, fork.config.maxTurns]).toEqual([
      ...["mine", "high", "claude-small", 7],
    ]);
    const events = await collect(fork.submit("on"));
    expect(dataOf(events, "tool_call_end")).toHaveLength(1);
    expect(kept).toEqual([]);
    const moved = session.fork({ profile: createOpenAiProfile({ model: "gpt" }) });
    expect(moved.config.model).toBeUndefined();
    for (const turn of [-1, 2, 0.5]) expect(codeOf(() => session.fork({ turn }))).toBe("config.invalid");
  });

  test("can be taken of a session without messages", () => {
    expect(new Session(optionsOf([])).fork().history).toEqual([]);
  });
});
