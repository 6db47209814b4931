import { EngineError } from "@switchyard/contracts";
import { inertEnvironment, scriptedClient, text, toolCall } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, counting, dataOf, typesOf } from "../../test/run-session.ts";
import { createAnthropicProfile, parseBoundary, Session, type SessionBoundary, type SessionOptions } from "../index.ts";

function sessionOf(steps: Parameters<typeof scriptedClient>[0], options: Partial<SessionOptions> = {}): Session {
  return new Session({
    profile: createAnthropicProfile({ model: "claude" }),
    environment: inertEnvironment(),
    client: scriptedClient(steps),
    ...options,
  });
}

/** Creates a hook that stores each boundary as text, as it was when the hook was called. */
function keeper(): { stored: string[]; onBoundary: (boundary: SessionBoundary) => Promise<void> } {
  const stored: string[] = [];
  return {
    stored,
    onBoundary: async (boundary) => {
      stored.push(JSON.stringify(boundary));
    },
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

/** Returns the stored boundaries of a session with one round of a read-only tool. */
async function storedBoundaries(): Promise<readonly string[]> {
  const { stored, onBoundary } = keeper();
  const session = sessionOf([toolCall("look"), text("done")], { tools: [counting("look", "readonly")], onBoundary });
  await collect(session.submit("go"));
  return stored;
}

describe("a session without an engine", () => {
  test("continues from a stored boundary, in the same cycle and with its id [D9]", async () => {
    const look = counting("look", "readonly");
    const { stored, onBoundary } = keeper();
    const first = sessionOf([toolCall("look"), text("done")], { tools: [look], onBoundary });
    const uninterrupted = await collect(first.submit("go"));
    for (const [index, boundary] of stored.entries()) {
      const resumeFrom = parseBoundary(JSON.parse(boundary));
      const later = keeper();
      const second = sessionOf([text("done")], { tools: [look], resumeFrom, onBoundary: later.onBoundary });
      const events = await collect(second.resume());
      const prompts = later.stored.map((text) => parseBoundary(JSON.parse(text)).systemPrompt);
      expect(prompts).toEqual(index === 0 ? [resumeFrom.systemPrompt] : []);
      expect(second.id).toBe(first.id);
      expect(second.state).toBe("idle");
      expect([second.turns, second.history.length, second.firstTurn]).toEqual([2, 4, 0]);
      expect(typesOf(events)).toEqual([
        "session_start",
        ...(index === 0 ? ["tool_call_start", "tool_call_end"] : []),
        ...typesOf(uninterrupted).slice(-4),
      ]);
      expect(dataOf(events, "processing_end")).toEqual([{ outcome: "completed", rounds: 1 }]);
    }
  });

  test("accepts its next input only after it has completed the previous one", async () => {
    const [intents] = await storedBoundaries();
    const session = sessionOf([text("one"), text("two")], { resumeFrom: parseBoundary(JSON.parse(intents ?? "")) });
    expect(codeOf(() => session.submit("more"))).toBe("session.busy");
    await collect(session.resume());
    expect(codeOf(() => session.resume())).toBe("config.invalid");
    await collect(session.submit("more"));
    expect(session.history.at(-1)).toMatchObject({ content: "two" });
  });

  test("has nothing to resume if it is new", () => {
    expect(codeOf(() => sessionOf([]).resume())).toBe("config.invalid");
  });

  test("that is closed instead of resumed leaves a history without invented results [D5] [loop-2.5-27]", async () => {
    const [intents] = await storedBoundaries();
    const session = sessionOf([], { resumeFrom: parseBoundary(JSON.parse(intents ?? "")) });
    await session.close();
    expect(session.history.at(-1)).toMatchObject({ results: [{ content: expect.stringMatching(/^unknown_outcome/) }] });
    expect(codeOf(() => session.resume())).toBe("session.closed");
  });

  test("stores its initial state separately from its progress", async () => {
    const history = [{ type: "user" as const, content: "before", timestamp: "2026-01-01T00:00:00.000Z" }];
    const { stored, onBoundary } = keeper();
    const look = counting("look", "readonly");
    const first = sessionOf([toolCall("look"), text("done")], { tools: [look], history, onBoundary });
    await collect(first.submit("go"));
    const second = sessionOf([text("done")], { resumeFrom: parseBoundary(JSON.parse(stored.at(-1) ?? "")) });
    await collect(second.resume());
    expect(second.firstTurn).toBe(1);
    expect([second.turns, second.history.length]).toEqual([first.turns, first.history.length]);
  });

  test("creates a boundary on request, also before its first call [engine-checkpoint-suggester-2]", async () => {
    const { stored, onBoundary } = keeper();
    const session = sessionOf([text("done")], { onBoundary });
    session.suggestBoundary();
    await collect(session.submit("go"));
    expect(stored.map((boundary) => parseBoundary(JSON.parse(boundary)).kind)).toEqual(["suggested"]);
    const again = sessionOf([text("done")], { resumeFrom: parseBoundary(JSON.parse(stored[0] ?? "")) });
    await collect(again.resume());
    expect(again.history.map(({ type }) => type)).toEqual(["user", "assistant"]);
  });

  test("closes if a boundary cannot be stored, before a tool runs", async () => {
    const look = counting("look");
    const failure = new EngineError("run.store_failed", { path: "/state", problem: "full" });
    const session = sessionOf([toolCall("look")], { tools: [look], onBoundary: () => Promise.reject(failure) });
    await collect(session.submit("go"));
    expect([session.state, session.failure, look.calls]).toEqual(["closed", failure, 0]);
  });
});

describe("a boundary that is read", () => {
  test("comes back as it was written", async () => {
    for (const text of await storedBoundaries()) expect(parseBoundary(JSON.parse(text))).toEqual(JSON.parse(text));
  });

  test("is a boundary or rejected, for any data [D3]", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(codeOf(() => parseBoundary(value))).toMatch(/^checkpoint\./);
      }),
    );
  });

  test("is rejected or resumes, for any single change [D3]", async () => {
    const [, outcomes = ""] = await storedBoundaries();
    const paths: (string | number)[][] = [];
    const walk = (value: unknown, path: (string | number)[]): void => {
      paths.push(path);
      if (typeof value !== "object" || value === null) return;
      for (const [name, item] of Object.entries(value)) walk(item, [...path, name]);
    };
    walk(JSON.parse(outcomes), []);
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      for (const replacement of [null, -1, "x", [], {}]) {
        const changed: unknown = JSON.parse(outcomes);
        let parent: object = Object(changed);
        for (const name of path.slice(0, -1)) parent = Object(Reflect.get(parent, name));
        const name = path.at(-1);
        if (name !== undefined) Reflect.set(parent, name, replacement);
        const code = codeOf(() => {
          const resumeFrom = parseBoundary(name === undefined ? replacement : changed);
          // A session can start from any boundary that the parser accepts.
          sessionOf([], { resumeFrom });
        });
        expect(code ?? "checkpoint.", `${path.join(".")} = ${JSON.stringify(replacement)}`).toMatch(/^checkpoint\./);
      }
    }
  });
});

describe("a reader that is waited for", () => {
  test("has caught up when it requests the next event, or stops", async () => {
    const { onBoundary } = keeper();
    const order: string[] = [];
    const session: Session = sessionOf([toolCall("look"), text("done")], {
      tools: [counting("look", "readonly")],
      onBoundary: async (boundary) => {
        await events.caughtUp();
        order.push(boundary.kind);
        await onBoundary(boundary);
      },
    });
    const events = session.submit("go");
    for await (const { type } of events) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(type);
      if (type === "tool_call_end") break;
    }
    await session.settled();
    expect(order.filter((type) => !type.endsWith("_delta"))).toEqual([
      "session_start",
      "user_input",
      "assistant_text_start",
      "assistant_text_end",
      "usage_reported",
      "intents",
      "tool_call_start",
      "tool_call_end",
      "outcomes",
    ]);
  });
});
