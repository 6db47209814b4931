import { Session } from "@switchyard/agent";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CheckingServer, startCheckingServer } from "./histories/checking-server.ts";
import { anyHistory, optionsFor, savedAtEveryEvent } from "./histories/scripted-history.ts";
import type { Family } from "./histories/wire-checks.ts";

const FAMILIES: readonly Family[] = ["openai", "anthropic", "gemini"];

let server: CheckingServer;
beforeAll(async () => {
  server = await startCheckingServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Loads a saved session and submits an input. Returns the problem if the provider rejects it or is not called. */
async function reopenOrTake(saved: string, family: Family): Promise<string | undefined> {
  const session = Session.load(JSON.parse(saved), { ...optionsFor(family), client: server.clientOf(family) });
  for await (const _ of session.submit("Go on.")) {
    // Only the outcome matters.
  }
  const last = session.history.at(-1);
  const problem = session.failure === undefined ? undefined : `${family}: ${session.failure.message}`;
  await session.close();
  return problem ?? (last?.type === "assistant" && last.content === "ok" ? undefined : `${family} was not asked`);
}

/** Features that the generated histories must contain, so that the test covers them. */
const MUST_OCCUR = {
  "a summary": /"compaction":\{/,
  "a subagent": /"children":\[\{/,
  "calls without a result": /"kind":"intents"/,
  "parallel calls": /"toolCalls":\[\{[^\]]*\},\{/,
  "an image": /"images":\[/,
  "a failed tool": /it broke/,
  "a signature": /"signature":"c2ln"/,
};

test("cut at any event and loaded, a session is accepted by every provider [loop-2.5-27]", async () => {
  const occurred = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.array(fc.nat(), { minLength: 2, maxLength: 2 }), async (script, cuts) => {
      const saved = await savedAtEveryEvent(script);
      // Always includes the last state, because it has the complete history.
      const chosen = new Set([...cuts.map((cut) => cut % saved.length), saved.length - 1]);
      for (const [name, pattern] of Object.entries(MUST_OCCUR)) {
        if (saved.some((each) => pattern.test(each))) occurred.add(name);
      }
      const problems: string[] = [];
      for (const index of chosen) {
        for (const family of FAMILIES)
          problems.push(...[await reopenOrTake(saved[index] ?? "", family)].filter((problem) => problem !== undefined));
      }
      expect(problems).toEqual([]);
    }),
    { numRuns: 120 },
  );
  expect([...occurred].sort()).toEqual(Object.keys(MUST_OCCUR).sort());
  expect(server.refusals).toEqual([]);
  expect(server.taken).toBeGreaterThan(300);
}, 400_000);
