import type { DocumentStore } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createBudgetLedger, readBudgetView } from "../src/budget/index.ts";
import { account, memoryDocuments, testMachine, testTimer } from "./budget-subject.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const CALL = { tokens: 10, costMicros: 100, runs: 0 } as const;
const RUN = { tokens: 0, costMicros: 0, runs: 1 } as const;

test("an amount is reserved in all accounts or in none", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const accounts = [account({}, "owner:a"), account({ costMicrosPerDay: 100 })];
  await ledger.spend([account({})], { tokens: 0, costMicros: 100 });
  expect(await ledger.reserve(accounts, CALL)).toEqual({
    ...{ kind: "used_up", account: "server", day: "1970-01-01" },
    ...{ used: 100, limit: 100, unit: "millionths of a US dollar" },
  });
  expect((await ledger.report()).accounts.map(({ name }) => name)).toEqual(["server"]);
});

test("the usage of a day ends with the day, but reservations and runs stay", async () => {
  const clock = testTimer();
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => clock.nowMs, timer: clock });
  const limited = [account({ tokensPerDay: 10, concurrentRuns: 1 })];
  const run = await ledger.reserve(limited, RUN);
  expect(run.kind).toBe("reserved");
  const call = await ledger.reserve(limited, CALL);
  expect((await ledger.reserve(limited, CALL)).kind).toBe("busy");
  if (call.kind === "reserved") await ledger.settle(call.id, { tokens: 12, costMicros: 0 });
  expect((await ledger.reserve(limited, CALL)).kind).toBe("used_up");
  clock.nowMs = DAY_MS;
  expect((await ledger.reserve(limited, CALL)).kind).toBe("reserved");
  expect((await ledger.reserve(limited, RUN)).kind).toBe("too_many_runs");
});

test("the reservation of an ended process counts as used, and its run is no longer active", async () => {
  const documents = memoryDocuments();
  const clock = testTimer();
  const machine = testMachine();
  const options = { now: () => 0, machine, holdMs: 1_000, timer: clock };
  const ended = createBudgetLedger(documents, { ...options, timer: testTimer() });
  const limited = [account({ tokensPerDay: 100, concurrentRuns: 1 })];
  const late = await ended.reserve(limited, CALL);
  await ended.reserve(limited, RUN);
  const other = createBudgetLedger(documents, options);
  expect((await other.reserve(limited, RUN)).kind).toBe("too_many_runs");
  machine.nowMs = 1_000;
  expect((await other.reserve(limited, RUN)).kind).toBe("too_many_runs");
  machine.nowMs = 1_001;
  expect((await other.reserve(limited, RUN)).kind).toBe("reserved");
  expect((await other.report()).accounts).toMatchObject([{ tokens: 10, costMicros: 100, reservedTokens: 0, runs: 1 }]);
  // The process was only suspended. Its call is not counted again.
  if (late.kind === "reserved") await ended.settle(late.id, { tokens: 5, costMicros: 5 });
  expect((await other.report()).accounts).toMatchObject([{ tokens: 10, costMicros: 100 }]);
});

test("a wrong wall clock changes only the day of its own process, and ends no reservation", async () => {
  const documents = memoryDocuments();
  const limited = [account({ tokensPerDay: 10, concurrentRuns: 1 })];
  const open = (name: string, nowMs: number) =>
    createBudgetLedger(documents, { now: () => nowMs, machine: testMachine(name), timer: testTimer() });
  const [right, wrong, behind] = [open("one", DAY_MS), open("two", 20 * DAY_MS), open("three", 0)];
  await right.spend([account({})], { tokens: 12, costMicros: 0 });
  expect((await right.reserve([account({}, "user")], RUN)).kind).toBe("reserved");
  for (const ledger of [wrong, behind]) {
    expect(await ledger.check(limited)).toBeUndefined();
    await ledger.spend([account({})], { tokens: 1, costMicros: 0 });
  }
  expect(await right.check(limited)).toMatchObject({ kind: "used_up", day: "1970-01-02", used: 12 });
  expect((await wrong.report()).accounts).toMatchObject([{ tokens: 1 }, { name: "user", runs: 1 }]);
});

test("commands of a machine notice together that a process has ended, and other machines do not disturb them", async () => {
  const documents = memoryDocuments();
  const limited = [account({ concurrentRuns: 1 })];
  const machine = testMachine();
  const command = (at = machine) =>
    createBudgetLedger(documents, { now: () => 0, machine: at, holdMs: 1_000, timer: testTimer() });
  await command().reserve(limited, RUN);
  // The clock of the other machine says that it has run for a year.
  const other = { ...testMachine("other"), nowMs: 365 * DAY_MS };
  for (const at of [machine, other]) expect((await command(at).reserve(limited, RUN)).kind).toBe("too_many_runs");
  machine.nowMs = 1_001;
  expect((await command(other).reserve(limited, RUN)).kind).toBe("too_many_runs");
  expect((await command().reserve(limited, RUN)).kind).toBe("reserved");
});

test("by default, the time of a reservation is measured with the monotonic clock that drives timers", async () => {
  const documents = memoryDocuments();
  const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
  await createBudgetLedger(documents, { timer: testTimer() }).reserve([account({})], CALL);
  const beforeMs = nowMs();
  await createBudgetLedger(documents, { timer: testTimer() }).report();
  const { open } = JSON.parse((await documents.read("budgets"))?.text ?? "{}");
  const since = open[0].watched[0].since_ms;
  expect(since).toBeGreaterThanOrEqual(beforeMs);
  expect(since).toBeLessThanOrEqual(nowMs());
});

test("after a restart of its machine, a process sees reservations for the first time", async () => {
  const documents = memoryDocuments();
  const machine = { ...testMachine(), nowMs: 50_000 };
  const command = () => createBudgetLedger(documents, { now: () => 0, machine, holdMs: 1_000, timer: testTimer() });
  await command().reserve([account({})], CALL);
  await command().report();
  machine.nowMs = 500;
  expect((await command().report()).accounts).toMatchObject([{ tokens: 0, reservedTokens: 10 }]);
  machine.nowMs = 1_501;
  expect((await command().report()).accounts).toMatchObject([{ tokens: 10, reservedTokens: 0 }]);
});

test("the usage of the three days that were changed last is stored, whatever the clock of a process says", async () => {
  const documents = memoryDocuments();
  const spend = async (day: number, name = "server") => {
    const ledger = createBudgetLedger(documents, { now: () => day * DAY_MS });
    return ledger.spend([account({ tokensPerDay: 2 }, name)], { tokens: 1, costMicros: 0 });
  };
  const daysOf = async (): Promise<unknown> => {
    const { used } = JSON.parse((await documents.read("budgets"))?.text ?? "{}");
    return [...new Set(used.map(({ day }: { readonly day: string }) => day))];
  };
  // Clocks that are years ahead must not drop the current day.
  for (const day of [5_000, 6_000, 7_000, 10, 8_000, 9_000]) await spend(day);
  expect(await spend(10)).toMatchObject({ kind: "used_up", used: 2 });
  expect(await daysOf()).toEqual(["1991-11-27", "1994-08-23", "1970-01-11"]);
  for (let day = 130; day < 140; day += 1) {
    for (let owner = 0; owner < 20; owner += 1) await spend(day, `owner:${owner}`);
  }
  expect(await daysOf()).toEqual(["1970-05-18", "1970-05-19", "1970-05-20"]);
  const { text = "" } = (await documents.read("budgets")) ?? {};
  expect(text.length).toBeLessThan(3 * 20 * 100);
});

test("a process extends its reservations until they are settled", async () => {
  const clock = testTimer();
  const machine = testMachine();
  const documents = memoryDocuments();
  const options = { now: () => 0, machine, holdMs: 1_000, timer: clock };
  const ledger = createBudgetLedger(documents, options);
  const other = createBudgetLedger(documents, { ...options, timer: testTimer() });
  const call = await ledger.reserve([account({})], CALL);
  for (machine.nowMs = 0; machine.nowMs < 5_000; machine.nowMs += 900) {
    expect((await other.report()).accounts).toMatchObject([{ tokens: 0, reservedTokens: 10 }]);
    await clock.wake();
  }
  if (call.kind === "reserved") await ledger.settle(call.id, { tokens: 7, costMicros: 0 });
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 7, reservedTokens: 0 }]);
});

test("refused requests store nothing, however many processes hold reservations", async () => {
  const documents = memoryDocuments();
  let writes = 0;
  const replace: DocumentStore["replace"] = (...change) => {
    writes += 1;
    return documents.replace(...change);
  };
  const limited = [account({ concurrentRuns: 3 })];
  const options = { now: () => 0, machine: testMachine(), timer: testTimer() };
  const ledgers = [1, 2, 3].map(() => createBudgetLedger({ ...documents, replace }, options));
  for (const ledger of ledgers) expect((await ledger.reserve(limited, RUN)).kind).toBe("reserved");
  writes = 0;
  for (let round = 0; round < 5; round += 1) {
    for (const ledger of ledgers) expect((await ledger.reserve(limited, RUN)).kind).toBe("too_many_runs");
  }
  // The machine notes once that it has seen the last reservation.
  expect(writes).toBeLessThanOrEqual(1);
});

test("a document of a newer release is neither read nor replaced", async () => {
  const documents = memoryDocuments();
  const newer = '{"format":3,"used":[],"open":[],"added":1}';
  await documents.replace("budgets", newer, undefined);
  const ledger = createBudgetLedger(documents, { now: () => 0 });
  const accounts = [account({ concurrentRuns: 1 })];
  const message = "The usage of shared budgets has the newer format 3, which this release cannot read.";
  for (const failed of [
    ledger.reserve(accounts, RUN),
    ledger.spend(accounts, { tokens: 1, costMicros: 0 }),
    ledger.report(),
  ]) {
    await expect(failed).rejects.toMatchObject({ code: "store.newer_format", message });
  }
  expect((await documents.read("budgets"))?.text).toBe(newer);
});

test("a document in the earlier format keeps its usage and its reservations", async () => {
  const documents = memoryDocuments();
  const use = { account: "server", tokens: 12, cost_micros: 3 };
  const hold = { id: "one", accounts: ["server"], tokens: 5, cost_micros: 0, runs: 1, expires_at_ms: 9 };
  const earlier = { format: 1, day: "1970-01-01", used: [use], open: [hold] };
  await documents.replace("budgets", JSON.stringify(earlier), undefined);
  const ledger = createBudgetLedger(documents, { now: () => 0 });
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 12, costMicros: 3, reservedTokens: 5, runs: 1 }]);
  expect(await ledger.check([account({ tokensPerDay: 12 })])).toMatchObject({ kind: "used_up" });
  expect(JSON.parse((await documents.read("budgets"))?.text ?? "{}")).toMatchObject({ format: 2 });
});

test("a damaged document is an error, so that it does not lift the limits", async () => {
  const documents = memoryDocuments();
  await documents.replace("budgets", '{"format": 1}', undefined);
  const ledger = createBudgetLedger(documents);
  await expect(ledger.reserve([account({})], CALL)).rejects.toMatchObject({ code: "store.malformed" });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -5, 1e308])(
  "the amount %s leaves the budgets readable",
  async (wrong) => {
    const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
    const accounts = [account({}, "user")];
    const amount = { tokens: wrong, costMicros: wrong };
    for (let call = 0; call < 2; call += 1) {
      await ledger.spend(accounts, amount);
      const outcome = await ledger.reserve(accounts, { ...amount, runs: 0 });
      if (outcome.kind === "reserved") await ledger.settle(outcome.id, amount);
    }
    const [use] = (await ledger.report()).accounts;
    expect(use?.tokens ?? 0).toBe(wrong === 1e308 ? Number.MAX_SAFE_INTEGER : 0);
    expect((await ledger.reserve(accounts, RUN)).kind).toBe("reserved");
  },
);

test("the view of an account contains its usage, reservations, limits and the end of the day", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => DAY_MS });
  const limited = account({ tokensPerDay: 100, costMicrosPerDay: 2_000_000, concurrentRuns: 3 }, "owner:a");
  expect(await readBudgetView(ledger, account({}, "owner:a"))).toEqual({
    ...{ tokens_used: 0, tokens_reserved: 0, usd_used: 0, usd_reserved: 0, active_runs: 0 },
    resets_at: "1970-01-03T00:00:00.000Z",
  });
  await ledger.spend([limited, account({}, "owner:b")], { tokens: 4, costMicros: 500_000 });
  await ledger.spend([account({}, "owner:b")], { tokens: 50, costMicros: 0 });
  await ledger.reserve([limited], CALL);
  await ledger.reserve([limited], RUN);
  expect(await readBudgetView(ledger, limited)).toEqual({
    ...{ tokens_used: 4, tokens_reserved: 10, tokens_per_day: 100 },
    ...{ usd_used: 0.5, usd_reserved: 0.0001, usd_per_day: 2, active_runs: 1, concurrent_runs: 3 },
    resets_at: "1970-01-03T00:00:00.000Z",
  });
});

test("a suspended process keeps its calls and its run, and a run that another process has ended is active again", async () => {
  const documents = memoryDocuments();
  const machine = testMachine();
  const options = { now: () => 0, machine, holdMs: 1_000 };
  const ledger = createBudgetLedger(documents, { ...options, timer: testTimer() });
  await ledger.reserve([account({})], CALL);
  await ledger.reserve([account({})], RUN);
  const other = createBudgetLedger(documents, { ...options, timer: testTimer() });
  await other.report();
  machine.nowMs = 5_000;
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 0, reservedTokens: 10, runs: 1 }]);
  await other.report();
  machine.nowMs = 10_000;
  expect((await other.report()).accounts).toMatchObject([{ tokens: 10, reservedTokens: 0, runs: 0 }]);
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 10, reservedTokens: 0, runs: 1 }]);
});
