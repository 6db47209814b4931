import type { Message, Usage } from "@switchyard/contracts";
import type { HostileFault, HostileModelRequest } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { generateCase } from "../src/suites/hostile-models/generated-case.mjs";
import { historyProblems } from "../src/suites/hostile-models/history-check.mjs";
import { hostileModelsSuite } from "../src/suites/hostile-models/hostile-models.mjs";
import { PRICES } from "../src/suites/hostile-models/model-client.mjs";
import { runHostileSuite } from "../src/suites/hostile-models/run-hostile-suite.mjs";
import { checkUsage } from "../src/suites/hostile-models/usage-check.mjs";

const PATIENCE_MS = 600_000;
/** The cases from this one have every kind of fault, and one whose process is killed. */
const FIRST = 20;
const log = () => undefined;

test(
  "runs and calls complete within the retry policy in spite of a hostile model server",
  async () => {
    const { quick } = hostileModelsSuite.counts;
    const { failures, figures, cases } = await hostileModelsSuite.run({ seed: 1, first: FIRST, count: quick, log });
    console.log(figures);
    expect(failures).toEqual([]);
    expect(cases).toBe(quick);
    expect(Number(figures["runs that had to complete"])).toBeGreaterThan(quick / 3);
    expect(Number(figures["runs whose usage equals what the server reported"])).toBeGreaterThan(quick / 3);
    expect(Number(figures["runs with responses that are not streamed"])).toBeGreaterThan(0);
    expect(Number(figures["processes killed"])).toBeGreaterThan(0);
    expect(figures["kinds of faults"]).toBe(11);
  },
  PATIENCE_MS,
);

const FAULTY = new URL("./faulty-clients.mjs", import.meta.url).href;
const BATCH = 4;

type WrongOptions = Omit<Parameters<typeof runHostileSuite>[0], "seed" | "first" | "count" | "log">;

/** Runs cases in batches until one has the expected problem. Returns the problems of all. */
async function problemsUntil(found: (problems: string) => boolean, most: number, options: WrongOptions) {
  let problems = "";
  for (let first = 0; first < most && !found(problems); first += BATCH) {
    const { failures } = await runHostileSuite({ seed: 1, first, count: BATCH, log, ...options });
    problems += failures.map(({ problem }) => `${problem}\n`).join("");
  }
  return problems;
}

test.for<readonly [string, string, "run" | "client" | "killed", RegExp]>([
  ["executes half tool calls", "executesHalfCalls", "run", /did not ask for|repeats a part/],
  ["keeps partial text in the history", "keepsPartialText", "run", /repeats a part/],
  ["counts usage twice", "countsTwice", "run", /the report has/],
  ["loses the usage of responses that broke off", "losesPartialUsage", "run", /the report has/],
  ["loses the price of responses that broke off", "losesPartialCost", "run", /a cost of/],
  ["takes a failed call for a complete response", "swallowsFailures", "run", /final message|did not complete/],
  ["retries after a part was delivered", "retriesAfterDelivery", "client", /after a part of its response/],
  ["takes a broken response for complete", "swallowsFailures", "client", /was taken for complete/],
  ["loses the usage of responses that broke off", "losesPartialUsage", "client", /reports the usage none/],
  ["counts usage twice", "countsTwice", "killed", /the report has/],
  ["takes a failed call for a complete response", "swallowsFailures", "killed", /final message|did not complete/],
])("the suite detects a client that %s: %s, in a %s", { timeout: PATIENCE_MS }, async ([, name, kind, problem]) => {
  const count = kind === "killed" ? 120 : 40;
  const faulty = { module: FAULTY, name };
  const problems = await problemsUntil((found) => problem.test(found), count, { kinds: [kind], faulty });
  expect(problems).toMatch(problem);
});

test("the suite detects a host that restarts a killed run instead of resuming it", {
  timeout: PATIENCE_MS,
}, async () => {
  const wanted = ["effects twice", "the report has"];
  const isFound = (found: string) => wanted.every((problem) => found.includes(problem));
  const problems = await problemsUntil(isFound, 120, { kinds: ["killed"], startsOver: true });
  for (const problem of wanted) expect(problems).toContain(problem);
});

test("a killed run must complete, because the resumed process counts unreadable responses from zero", () => {
  for (const seed of [1, 2]) {
    for (let index = 19; index < 2000; index += 20) {
      const { kind, plan } = generateCase(seed, index);
      expect({ kind, completes: plan.completes }, `seed ${seed}, case ${index}`).toEqual({
        kind: "killed",
        completes: true,
      });
    }
  }
});

test("the suite detects a history with a call that has no result", async () => {
  const history: Message[] = [
    { role: "user", parts: [{ type: "text", text: "Go." }] },
    { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "effect", arguments: "{}" }] },
  ];
  expect(await historyProblems([{ role: "user", parts: [{ type: "text", text: "Go." }] }])).toEqual([]);
  expect(await historyProblems(history)).not.toEqual([]);
});

function requestOf(usages: readonly (readonly [number, number])[], fault?: HostileFault): HostileModelRequest {
  const tokens = usages.map(([inputTokens, outputTokens]) => ({ inputTokens, outputTokens }));
  return {
    ...{ number: 1, api: "anthropic", isStreamed: true, body: {}, problems: [], turn: 1, attempt: 1, fault },
    ...{ oddities: [], outcome: "broken", isTurn: false, usage: tokens.at(-1), usages: tokens },
    isUsageCertain: fault === undefined,
  };
}

function reported(inputTokens: number, outputTokens: number): Usage {
  const costMicros = inputTokens * PRICES.input + outputTokens * PRICES.output;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, costMicros };
}

test("the usage in a report must equal the server's ledger, except for usage that a connection reset may have lost", () => {
  const reset: HostileFault = { kind: "break", isReset: true, at: "end", share: 0.5 };
  const whole = requestOf([[100, 9]]);
  const lost = requestOf(
    [
      [50, 1],
      [50, 7],
    ],
    reset,
  );
  const isRight = (usage: Usage) => checkUsage(usage, [whole, lost]).problems.length === 0;
  expect([reported(100, 9), reported(150, 10), reported(150, 16)].map(isRight)).toEqual([true, true, true]);
  expect([reported(100, 10), reported(150, 9), reported(50, 7), reported(200, 18)].map(isRight)).toEqual([
    ...[false, false, false, false],
  ]);
  expect(checkUsage(reported(100, 9), [whole])).toEqual({ problems: [], uncertain: 0 });
  expect(isRight({ ...reported(100, 9), costMicros: 1 })).toBe(false);
  expect(isRight({ ...reported(100, 9), isCostPartial: true })).toBe(false);
});
