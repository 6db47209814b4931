import { EngineError } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import {
  createBudgetLedger,
  createOwnerBudgets,
  openCallBudget,
  openRunBudget,
  parseBudgets,
  parseSeat,
  type RunBudget,
} from "../src/budget/index.ts";
import { account, memoryDocuments, testMachine, testTimer } from "./budget-subject.ts";

test("a run waits for the calls of other runs, and ends with an error if they use up the budget", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const accounts = [account({ tokensPerDay: 10 }, "owner:a")];
  const [first, second] = [await openRunBudget(ledger, accounts), await openRunBudget(ledger, accounts)];
  const { signal } = new AbortController();
  const call = await first.reserve({ tokens: 10, costMicros: 0 }, signal);
  const waiting = second.reserve({ tokens: 10, costMicros: 0 }, signal);
  call.settle({ totalTokens: 4 });
  const next = await waiting;
  const refused = first.reserve({ tokens: 10, costMicros: 0 }, signal);
  next.settle({ totalTokens: 6 });
  await expect(refused).rejects.toMatchObject({
    code: "budget.day_exceeded",
    details: { account: "owner:a", used: 10, limit: 10 },
  });
  expect(first.refusal()?.code).toBe("budget.day_exceeded");
  await Promise.all([first.close(), second.close()]);
  await expect(openRunBudget(ledger, accounts)).rejects.toMatchObject({ code: "budget.day_exceeded" });
});

test("reported usage is counted once, whether calls were reserved or not", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const accounts = [account({ costMicrosPerDay: 100 }, "user")];
  const direct = await openRunBudget(ledger, accounts);
  await direct.report({ totalTokens: 5, costMicros: 60 });
  const metered = await openRunBudget(ledger, accounts);
  const call = await metered.reserve({ tokens: 5, costMicros: 1 }, new AbortController().signal);
  call.settle({ totalTokens: 5, costMicros: 30 });
  await metered.report({ totalTokens: 5, costMicros: 30 });
  await metered.close();
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 10, costMicros: 90, runs: 1 }]);
  await expect(direct.report({ totalTokens: 5, costMicros: 20 })).rejects.toMatchObject({
    code: "budget.day_exceeded",
  });
});

test("a process that works for a run counts in the run's budget, and does not count as a further run", async () => {
  const documents = memoryDocuments();
  const [ledger, other] = [createBudgetLedger(documents, { now: () => 0 }), createBudgetLedger(documents)];
  const accounts = [account({ tokensPerDay: 10, concurrentRuns: 1 }, "user")];
  const run = await openRunBudget(ledger, accounts);
  await expect(openRunBudget(other, accounts, { seat: "unknown" })).rejects.toMatchObject({
    code: "budget.too_many_runs",
  });
  // A run of other accounts counts nothing in these accounts.
  const stranger = await openRunBudget(other, [account({}, "owner:a")]);
  await expect(openRunBudget(other, accounts, { seat: stranger.seat })).rejects.toMatchObject({
    code: "budget.too_many_runs",
  });
  const part = await openRunBudget(createBudgetLedger(documents, { now: () => 0 }), accounts, { seat: run.seat });
  expect(part.seat).toBe(run.seat);
  const call = await part.reserve({ tokens: 9, costMicros: 0 }, new AbortController().signal);
  call.settle({ totalTokens: 4 });
  await part.close();
  expect((await ledger.report()).accounts).toMatchObject([{ name: "owner:a" }, { tokens: 4, runs: 1 }]);
  await run.report({ totalTokens: 5 });
  await run.close();
  expect((await ledger.report()).accounts).toMatchObject([{ name: "owner:a" }, { tokens: 5, runs: 0 }]);
});

test("usage that processes report to each other counts once, as far as the ledger does not contain it", async () => {
  const documents = memoryDocuments();
  const ledger = createBudgetLedger(documents, { now: () => 0 });
  const accounts = [account({ costMicrosPerDay: 1_000 }, "user")];
  const open = (seat?: string) => openRunBudget(createBudgetLedger(documents, { now: () => 0 }), accounts, { seat });
  const run = await open();
  const used = async () => (await ledger.report()).accounts.map(({ tokens, costMicros }) => ({ tokens, costMicros }));
  const call = async (budget: Pick<RunBudget, "reserve">, usage: object): Promise<void> =>
    (await budget.reserve({ tokens: 50, costMicros: 90 }, new AbortController().signal)).settle({
      totalTokens: 0,
      ...usage,
    });
  // A task that names the seat of the run, but has counted nothing.
  await run.report({ totalTokens: 5, costMicros: 10 });
  expect(await used()).toEqual([{ tokens: 5, costMicros: 10 }]);
  // A task that executes another task.
  const task = await open(run.seat);
  const inner = await open(task.seat);
  await call(inner, { totalTokens: 4, costMicros: 20 });
  await inner.close();
  await call(task, { totalTokens: 2, costMicros: 30 });
  await task.report({ totalTokens: 2, costMicros: 30 });
  await task.report({ totalTokens: 4, costMicros: 20 });
  expect(await used()).toEqual([{ tokens: 11, costMicros: 60 }]);
  // The model calls that the task makes directly.
  await task.report({ totalTokens: 3, costMicros: 1 });
  await task.close();
  expect(await used()).toEqual([{ tokens: 14, costMicros: 61 }]);
  await run.report({ totalTokens: 9, costMicros: 51 });
  expect(await used()).toEqual([{ tokens: 14, costMicros: 61 }]);
  await run.report({ totalTokens: 1, costMicros: 2 });
  // A later task begins with the usage that was counted before.
  const later = await open(run.seat);
  await later.report({ totalTokens: 6 });
  await later.close();
  await run.report({ totalTokens: 6 });
  await run.close();
  expect(await used()).toEqual([{ tokens: 21, costMicros: 63 }]);
});

test("reserved amounts that count for a task whose process has died are not counted again", async () => {
  const documents = memoryDocuments();
  const machine = testMachine();
  const timer = testTimer();
  const ledger = createBudgetLedger(documents, { now: () => 0, machine, timer, holdMs: 100 });
  const accounts = [account({}, "user")];
  const run = await openRunBudget(ledger, accounts);
  const dead = createBudgetLedger(documents, { now: () => 0, machine, timer: testTimer(), holdMs: 100 });
  const task = await openRunBudget(dead, accounts, { seat: run.seat });
  await task.reserve({ tokens: 7, costMicros: 0 }, new AbortController().signal);
  await ledger.report();
  machine.nowMs = 101;
  await run.report({ totalTokens: 7 });
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 7, reservedTokens: 0, runs: 1 }]);
});

test("the seat of a run names the files of its budgets, and other texts are runs that are not active", async () => {
  const ledger = createBudgetLedger(memoryDocuments());
  const place = { budgets: "/settings/budgets.yaml", state: "/state" };
  const run = await openRunBudget(ledger, [account({})], { place });
  onTestFinished(() => run.close());
  const { id, ...rest } = parseSeat(run.seat);
  expect(rest).toEqual({ place });
  expect(await ledger.activeRun(id)).toEqual({ accounts: ["server"], counted: { tokens: 0, costMicros: 0 } });
  expect(["none", "", "[1]", "5", '{"id":5}'].map((text) => parseSeat(text).id)).toEqual([
    "none",
    "",
    "[1]",
    "5",
    '{"id":5}',
  ]);
  expect(parseSeat('{"id":"a","budgets":1,"state":"/state"}')).toEqual({ id: "a" });
  expect(await ledger.activeRun("none")).toBeUndefined();
});

test("a server charges the runs of an owner, and does not limit owners without a budget", async () => {
  const ledger = createBudgetLedger(memoryDocuments());
  const owners = createOwnerBudgets({
    ledger,
    budgets: parseBudgets({ owners: { ada: { tokens_per_day: 5, concurrent_runs: 1 } } }, "budgets.yaml"),
    place: { budgets: "/budgets.yaml", state: "/state" },
  });
  await owners.assertReadable();
  const signal = new AbortController().signal;
  expect(await owners.open({ owner: "bob", signal })).toBeUndefined();
  await owners.check("bob");
  expect(await owners.read("bob")).toBeUndefined();
  const run = await owners.open({ owner: "ada", signal });
  expect(parseSeat(run?.seat ?? "").place?.state).toBe("/state");
  await expect(owners.open({ owner: "ada", signal })).rejects.toMatchObject({ code: "budget.too_many_runs" });
  await owners.check("ada");
  await expect(run?.report({ totalTokens: 6 })).rejects.toMatchObject({ code: "budget.day_exceeded" });
  await run?.close();
  await expect(owners.check("ada")).rejects.toMatchObject({ code: "budget.day_exceeded" });
  expect(await owners.read("ada")).toMatchObject({ tokens_used: 6, tokens_per_day: 5, active_runs: 0 });
});

test("sums of fractions that are not exact do not count as further usage and do not end a run", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const budget = await openRunBudget(ledger, [account({ costMicrosPerDay: 1_000 }, "user")]);
  const costs = [400.1, 300.7, 299.3];
  for (const costMicros of costs) {
    const call = await budget.reserve({ tokens: 5, costMicros: 5 }, new AbortController().signal);
    call.settle({ totalTokens: 5, costMicros });
  }
  for (const costMicros of costs) await budget.report({ totalTokens: 5, costMicros });
  await budget.close();
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 15 }]);
});

test("usage that an engine reports besides its reserved calls is counted, and each call only once", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const budget = await openRunBudget(ledger, [account({ costMicrosPerDay: 200 }, "user")]);
  const { signal } = new AbortController();
  for (const costMicros of [30, 40]) {
    const call = await budget.reserve({ tokens: 9, costMicros: 90 }, signal);
    call.settle({ totalTokens: 5, costMicros });
  }
  // The two calls are reported together. The other usage belongs to calls that the engine made directly.
  await budget.report({ totalTokens: 10, costMicros: 70 });
  await budget.report({ totalTokens: 7, costMicros: 8 });
  const failed = await budget.reserve({ tokens: 9, costMicros: 90 }, signal);
  failed.settle(undefined);
  await budget.report({ totalTokens: 1, costMicros: 2 });
  await budget.close();
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 18, costMicros: 80 }]);
});

test("a run waits for the end of another one, or is refused", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const accounts = [account({ concurrentRuns: 1 }, "user")];
  const first = await openRunBudget(ledger, accounts);
  await expect(openRunBudget(ledger, accounts)).rejects.toMatchObject({ code: "budget.too_many_runs" });
  const stop = new AbortController();
  const stopped = openRunBudget(ledger, accounts, { waits: true, signal: stop.signal });
  const reason = new EngineError("run.interrupted", { cause: "user" });
  stop.abort(reason);
  await expect(stopped).rejects.toBe(reason);
  const waiting = openRunBudget(ledger, accounts, { waits: true });
  await first.close();
  const second = await waiting;
  onTestFinished(() => second.close());
  expect((await ledger.report()).accounts).toMatchObject([{ name: "user", runs: 1 }]);
});

test("tokens and costs that are unknown after a call count as reserved, and a call that was not sent does not count", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const accounts = [account({}, "user")];
  const budget = await openRunBudget(ledger, accounts);
  const usages = [undefined, { totalTokens: 0 }, { totalTokens: Number.NaN, costMicros: -1 }, { totalTokens: 3 }];
  for (const usage of usages) {
    const call = await budget.reserve({ tokens: 10, costMicros: 100 }, new AbortController().signal);
    call.settle(usage);
  }
  await budget.close();
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 23, costMicros: 300, reservedTokens: 0 }]);
});

test("usage that cannot be stored is an error that ends the run", async () => {
  const documents = memoryDocuments();
  const budget = await openRunBudget(createBudgetLedger(documents), [account({}, "user")]);
  onTestFinished(() => budget.close());
  const version = (await documents.read("budgets"))?.version;
  await documents.replace("budgets", "damaged", version);
  await expect(budget.report({ totalTokens: 5 })).rejects.toMatchObject({
    ...{ code: "budget.not_counted", class: "budget_exceeded" },
    cause: { code: "store.malformed" },
  });
});

test("calls that belong to no run are reserved and counted, but not as an active run", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const calls = openCallBudget(ledger, [account({ costMicrosPerDay: 50, concurrentRuns: 0 }, "user")]);
  expect(calls.limitsCost).toBe(true);
  const { signal } = new AbortController();
  const [first, second] = [
    await calls.reserve({ tokens: 10, costMicros: 20 }, signal),
    await calls.reserve({ tokens: 10, costMicros: 20 }, signal),
  ];
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 0, reservedTokens: 20, runs: 0 }]);
  first.settle({ totalTokens: 4, costMicros: 40 });
  second.settle({ totalTokens: 5, costMicros: 10 });
  await calls.close();
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 9, costMicros: 50, reservedTokens: 0 }]);
  const refused = { code: "budget.day_exceeded" };
  await expect(calls.reserve({ tokens: 1, costMicros: 1 }, signal)).rejects.toMatchObject(refused);
  expect(calls.refusal()).toMatchObject(refused);
});

test("calls that are not settled when their run ends count as reserved", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const budget = await openRunBudget(ledger, [account({}, "user")]);
  const call = await budget.reserve({ tokens: 10, costMicros: 100 }, new AbortController().signal);
  await budget.close();
  call.settle({ totalTokens: 1 });
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 10, costMicros: 100, reservedTokens: 0, runs: 0 }]);
});

test("an error about the budget of the server contains no usage of other owners", async () => {
  const ledger = createBudgetLedger(memoryDocuments(), { now: () => 0 });
  const accounts = [account({ tokensPerDay: 10 })];
  await ledger.spend(accounts, { tokens: 12, costMicros: 0 });
  const failure = await openRunBudget(ledger, accounts).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    ...{ code: "budget.day_exceeded", details: { account: "server", unit: "tokens" } },
    message: "The budget of server for the day 1970-01-01 (UTC) is used up: the limit of tokens is reached.",
  });
  expect(JSON.stringify(failure)).not.toContain("12");
});
