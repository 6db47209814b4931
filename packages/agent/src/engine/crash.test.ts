import { SESSION_RESULT, type TranscriptMessage } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { essenceOf, type Played, play, type Script, type ScriptedCall } from "../../test/crash-world.ts";

const put = (key: string, value: string): ScriptedCall => ({ name: "put", args: { key, value } });
const look = (key: string): ScriptedCall => ({ name: "look", args: { key } });
const spend: ScriptedCall = { name: "spend", args: {} };

function transcriptOf({ board }: Played): readonly TranscriptMessage[] {
  return board.get(SESSION_RESULT)?.transcript ?? [];
}

/** Returns all tool results, in order. */
function resultsOf(played: Played): { id: string; content: string }[] {
  return transcriptOf(played).flatMap(({ tool_result: result }) =>
    result === undefined ? [] : [{ id: result.call_id, content: result.content }],
  );
}

const isUnknown = (content: string): boolean => content.startsWith("unknown_outcome");

/**
 * Checks a run with unsafe calls after crashes: no call took effect twice, each call has one result, and reported
 * results are true.
 */
function assertHonest(played: Played, script: Script): void {
  expect(new Set(played.ledger).size, "an unsafe call took effect twice").toBe(played.ledger.length);
  const results = resultsOf(played);
  const ids = results.map(({ id }) => id);
  expect(new Set(ids).size, "a call has two outcomes").toBe(ids.length);
  const scripted = script.rounds.flatMap((calls, round) =>
    calls.map(({ name }, index) => ({ name, id: `call-${round}-${index}` })),
  );
  for (const { id, content } of results) {
    const name = scripted.find((call) => call.id === id)?.name;
    if (isUnknown(content)) {
      expect(["spend", "missing"], `${name} is not told as unknown`).toContain(name);
    } else if (name === "spend") {
      expect(content).toBe("spent");
      expect(played.ledger).toContain(id);
    }
  }
}

describe("killed at every moment", () => {
  const safe: Script = {
    rounds: [
      [put("a", "1"), look("b")],
      [{ name: "say", args: { steer: "faster", followUp: "and then" } }],
      [look("a")],
      [],
      [put("c", "2")],
      ...Array.from({ length: 4 }, () => [look("never")]),
      [],
      [],
    ],
    config: { loopDetectionWindow: 2 },
    messages: { 2: { type: "steer", text: "with care" }, 4: { type: "follow_up", text: "and at last" } },
  };

  test("a run without unsafe calls ends as if it had not been interrupted [D9] [D14]", async () => {
    const uninterrupted = await play(safe);
    expect(uninterrupted.error).toBeUndefined();
    expect(uninterrupted.moments.length).toBeGreaterThan(60);
    const expected = essenceOf(uninterrupted);
    for (const [index, label] of uninterrupted.moments.entries()) {
      const cut = await play(safe, [index + 1]);
      expect(cut.attempts, label).toBe(2);
      expect(essenceOf(cut), `killed at ${label} (${index + 1})`).toEqual(expected);
    }
  });

  test("an unsafe call takes effect at most once, and an unknown outcome is reported as such [D4] [D5]", async () => {
    const script: Script = { rounds: [[look("a"), spend, spend], [spend], [{ name: "missing", args: {} }], []] };
    const uninterrupted = await play(script);
    expect(uninterrupted.ledger).toEqual(["call-0-1", "call-0-2", "call-1-0"]);
    expect(resultsOf(uninterrupted).filter(({ content }) => isUnknown(content))).toEqual([]);
    let unknown = 0;
    for (const [index, label] of uninterrupted.moments.entries()) {
      const cut = await play(script, [index + 1]);
      assertHonest(cut, script);
      const lost = resultsOf(cut).filter(({ content }) => isUnknown(content));
      unknown += lost.length;
      // Only calls of a round whose outcomes were not stored have an unknown outcome.
      if (!/begins|took effect|tool_call|checkpoint/.test(label)) expect(lost, label).toEqual([]);
    }
    expect(unknown).toBeGreaterThan(0);
  });
});

describe("for any session and any point of interruption", () => {
  const safeCall = (round: number): fc.Arbitrary<ScriptedCall> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.nat(2).map((key) => put(`${round}-${key}`, `${round}`)) },
      // Only reads keys of the previous round. A repeated read could already see the writes of the same response.
      { weight: 3, arbitrary: fc.nat(2).map((key) => look(`${round - 1}-${key}`)) },
      { weight: 1, arbitrary: fc.constant<ScriptedCall>({ name: "say", args: { steer: `steer ${round}` } }) },
      { weight: 1, arbitrary: fc.constant<ScriptedCall>({ name: "say", args: { followUp: `follow ${round}` } }) },
      // Repeats the same call, to trigger loop detection.
      { weight: 2, arbitrary: fc.constant(look("never")) },
    );
  const anyCall = (round: number): fc.Arbitrary<ScriptedCall> =>
    fc.oneof(
      { weight: 2, arbitrary: safeCall(round) },
      { weight: 3, arbitrary: fc.constant(spend) },
      { weight: 1, arbitrary: fc.constant<ScriptedCall>({ name: "missing", args: {} }) },
    );
  const scripts = (call: (round: number) => fc.Arbitrary<ScriptedCall>): fc.Arbitrary<Script> =>
    fc.record({
      rounds: fc
        .tuple(...Array.from({ length: 6 }, (_, round) => fc.array(call(round), { maxLength: 3 })))
        // Enough final responses for any number of follow-ups.
        .map((rounds) => [...rounds, ...Array.from({ length: 12 }, () => [])]),
      config: fc.record({
        maxTurns: fc.constantFrom(0, 0, 4),
        maxToolRoundsPerInput: fc.constantFrom(0, 0, 3),
        loopDetectionWindow: fc.constantFrom(2, 3, 10),
      }),
      isParallel: fc.boolean(),
      said: fc.dictionary(
        fc.nat(6).map(String),
        fc.record({ type: fc.constantFrom("steer", "follow_up"), text: fc.constantFrom("a", "b") }),
        { maxKeys: 3 },
      ),
    });
  const kills = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });

  test("without unsafe calls, board, transcript, usage and the model's view equal those of an uninterrupted run [D9] [D14]", async () => {
    await fc.assert(
      fc.asyncProperty(scripts(safeCall), kills, async (script, moments) => {
        expect(essenceOf(await play(script, moments))).toEqual(essenceOf(await play(script)));
      }),
      { numRuns: 150 },
    );
  });

  test("with unsafe calls, none takes effect twice and none has a made-up outcome [D4] [D5]", async () => {
    await fc.assert(
      fc.asyncProperty(scripts(anyCall), kills, async (script, moments) => {
        assertHonest(await play(script, moments), script);
      }),
      { numRuns: 150 },
    );
  });
});
