import fc from "fast-check";
import { expect, test } from "vitest";
import type { OwnerQuota } from "./owner-quota.ts";
import { type RunNeeds, unmetNeed, type WorkerAbilities } from "./run-needs.ts";
import { RunScheduler } from "./run-scheduler.ts";
import type { ScheduledRun } from "./scheduled-run.ts";

const DAY = "2026-11-28";
const UNLIMITED = { maxQueued: 1e9, maxQueuedPerOwner: 1e9 };
const EVERYTHING: WorkerAbilities = { name: "w0", engines: [], environments: [], labels: {} };

const WORKERS: readonly WorkerAbilities[] = [
  {
    name: "a",
    engines: ["agent", "custom"],
    environments: ["local"],
    labels: { zone: "1" },
    folders: [
      { name: "app", owners: ["o1"] },
      { name: "docs", owners: ["*"] },
    ],
  },
  {
    ...{ name: "b", engines: ["agent"], environments: ["local", "sandbox"], labels: {} },
    repositories: [
      { url: "https://one.example/team", credential: "robot", owners: ["o1"] },
      { url: "https://one.example/" },
    ],
  },
  { name: "c", engines: ["custom"], environments: ["sandbox"], labels: { zone: "2", gpu: "yes" } },
  { name: "d", engines: ["agent"], environments: ["local"], labels: { gpu: "yes" }, isDedicated: true },
];

const findWorker = (name: string) => WORKERS.find((worker) => worker.name === name);

const needs: fc.Arbitrary<RunNeeds> = fc.record(
  {
    engine: fc.constantFrom("agent", "custom"),
    environment: fc.constantFrom("local", "sandbox"),
    labels: fc.dictionary(fc.constantFrom("zone", "gpu"), fc.constantFrom("1", "2", "yes"), { maxKeys: 1 }),
    worker: fc.constantFrom("a", "b", "c", "d", "gone"),
    folder: fc.record({ name: fc.constantFrom("app", "docs", "none"), owner: fc.constantFrom("o1", "o2") }),
    repository: fc.record({
      url: fc.constantFrom("https://one.example/team/app.git", "https://one.example/teams/app.git"),
      credential: fc.constantFrom(undefined, "robot"),
      owner: fc.constantFrom("o1", "o2"),
    }),
  },
  { requiredKeys: [] },
);

type Action =
  | { readonly kind: "push"; readonly owner: string; readonly priority: number; readonly needs: RunNeeds }
  | { readonly kind: "next"; readonly worker: number }
  | { readonly kind: "end" | "remove" | "giveBack" | "release"; readonly pick: number };

const owner = fc.constantFrom("o1", "o2", "o3", "o4");
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("push"), owner, priority: fc.integer({ min: -1, max: 1 }), needs }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("next"), worker: fc.nat(WORKERS.length - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("end", "remove", "giveBack", "release"), pick: fc.nat(1000) }),
  },
);

const quota: fc.Arbitrary<OwnerQuota> = fc.record(
  {
    weight: fc.integer({ min: 1, max: 4 }),
    maxRunning: fc.integer({ min: 1, max: 3 }),
    maxStartsPerDay: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: [] },
);

/** Plain model of a scheduler: lists of waiting and running runs. */
class Model {
  readonly quotas: Readonly<Record<string, OwnerQuota>>;
  waiting: (ScheduledRun & { readonly priority: number; readonly needs: RunNeeds })[] = [];
  running: ScheduledRun[] = [];
  readonly starts = new Map<string, number>();

  constructor(quotas: Readonly<Record<string, OwnerQuota>>) {
    this.quotas = quotas;
  }

  mayStart(name: string): boolean {
    const { maxRunning = Number.POSITIVE_INFINITY, maxStartsPerDay = Number.POSITIVE_INFINITY } =
      this.quotas[name] ?? {};
    const running = this.running.filter((run) => run.owner === name).length;
    return running < maxRunning && (this.starts.get(name) ?? 0) < maxStartsPerDay;
  }

  waitingForWorker(): string[] {
    return this.waiting
      .filter((run) => run.needs.worker !== undefined)
      .map(({ runId }) => runId)
      .sort();
  }

  release(runId: string): void {
    this.waiting = this.waiting.map((run) =>
      run.runId === runId ? { ...run, needs: { ...run.needs, worker: undefined } } : run,
    );
  }

  fitting(worker: WorkerAbilities) {
    return this.waiting.filter(({ needs: { worker: holder, ...other } }) => {
      const suits = (one: WorkerAbilities): boolean => unmetNeed(one, other) === undefined;
      // A run waits for the worker that has its files only while this worker exists and could execute it.
      const isAwaited = WORKERS.some((one) => one.name === holder && one !== worker && suits(one));
      return suits(worker) && !isAwaited;
    });
  }
}

/** Applies a worker's request to the scheduler and checks the decision against the model. */
function checkNext(scheduler: RunScheduler, model: Model, worker: WorkerAbilities): void {
  const found = scheduler.next({ worker, day: DAY, findWorker });
  const allowed = model.fitting(worker).filter((run) => model.mayStart(run.owner));
  // Work conserving: a run is returned exactly if one fits whose owner is below its limits.
  expect(found === undefined).toBe(allowed.length === 0);
  if (found === undefined) return;
  const mine = allowed.filter((run) => run.owner === found.owner);
  const chosen = mine.find((run) => run.runId === found.runId);
  expect(chosen).toBeDefined();
  // Priorities and order of arrival hold among the owner's runs that the worker can execute.
  const highest = Math.max(...mine.map(({ priority }) => priority));
  expect(chosen).toBe(mine.find(({ priority }) => priority === highest));
  model.waiting = model.waiting.filter((run) => run !== chosen);
  model.running.push(found);
  model.starts.set(found.owner, (model.starts.get(found.owner) ?? 0) + 1);
}

function apply(scheduler: RunScheduler, model: Model, { step, number }: { step: Action; number: number }): void {
  if (step.kind === "next") {
    const worker = WORKERS[step.worker];
    if (worker !== undefined) checkNext(scheduler, model, worker);
    return;
  }
  if (step.kind === "push") {
    const run = { runId: `r${number}`, owner: step.owner, priority: step.priority, needs: step.needs };
    model.waiting.push(run);
    scheduler.push(run);
    return;
  }
  if (step.kind === "release") {
    const awaiting = scheduler.waitingForWorker();
    expect([...awaiting].sort()).toEqual(model.waitingForWorker());
    const runId = awaiting[step.pick % Math.max(1, awaiting.length)] ?? "";
    scheduler.releaseFromWorker(runId);
    model.release(runId);
    return;
  }
  const list = step.kind === "remove" ? model.waiting : model.running;
  const found = list[step.pick % Math.max(1, list.length)];
  if (found === undefined) return;
  list.splice(list.indexOf(found), 1);
  if (step.kind === "remove") expect(scheduler.remove(found.runId)).toBe(true);
  else if (step.kind === "end") scheduler.ended(found.runId);
  else {
    scheduler.giveBack(found, DAY);
    model.starts.set(found.owner, (model.starts.get(found.owner) ?? 0) - 1);
    model.waiting.push({ ...found, priority: found.priority ?? 0, needs: found.needs ?? {} });
    // A run that is given back keeps its position.
    model.waiting.sort((left, right) => Number(left.runId.slice(1)) - Number(right.runId.slice(1)));
  }
}

test("an owner whose runs are given back has no precedence over owners that arrive later", () => {
  const scheduler = new RunScheduler(UNLIMITED);
  const next = () => scheduler.next({ worker: EVERYTHING, day: DAY });
  for (let count = 0; count < 10; count += 1) scheduler.push({ runId: `a${count}`, owner: "ada" });
  const offered = Array.from({ length: 10 }, next).flatMap((run) => run ?? []);
  for (const run of offered) scheduler.giveBack(run, DAY);
  for (const runId of ["b0", "b1"]) scheduler.push({ runId, owner: "bob" });
  expect(Array.from({ length: 4 }, next).map((run) => run?.owner)).toEqual(["ada", "bob", "ada", "bob"]);
});

test("in any history, decisions conserve work, respect limits and follow priorities", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 120 }), fc.dictionary(owner, quota, { maxKeys: 4 }), (steps, quotas) => {
      const scheduler = new RunScheduler({ ...UNLIMITED, quotaOf: (name) => quotas[name] ?? {} });
      const model = new Model(quotas);
      for (const [number, step] of steps.entries()) {
        apply(scheduler, model, { step, number });
        expect([scheduler.size, scheduler.running]).toEqual([model.waiting.length, model.running.length]);
      }
    }),
    { numRuns: 300 },
  );
});

/** Serves all runs with a fixed number of slots, and returns the mean number of starts that each owner waited for. */
function meanWaits(scheduler: RunScheduler, slots: number): Map<string, number> {
  const waits = new Map<string, number[]>();
  const running: string[] = [];
  for (let clock = 0; ; clock += 1) {
    while (running.length < slots) {
      const next = scheduler.next({ worker: EVERYTHING, day: DAY });
      if (next === undefined) break;
      running.push(next.runId);
      waits.set(next.owner, [...(waits.get(next.owner) ?? []), clock]);
    }
    const ended = running.shift();
    if (ended === undefined) break;
    scheduler.ended(ended);
  }
  return new Map([...waits].map(([name, list]) => [name, list.reduce((sum, wait) => sum + wait, 0) / list.length]));
}

test("with equal weights and demand, no owner waits more than twice as long as the median owner", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9), { minLength: 60, maxLength: 200 }),
      fc.integer({ min: 1, max: 8 }),
      (order, slots) => {
        const scheduler = new RunScheduler(UNLIMITED);
        const names = [...new Set(order)];
        const most = Math.max(...names.map((name) => order.filter((other) => other === name).length));
        // Every owner has the same number of runs, which arrive in any order.
        const arrivals = [...order, ...names.flatMap((name) => Array.from({ length: most }, () => name))];
        const counts = new Map<number, number>();
        for (const [index, name] of arrivals.entries()) {
          const count = counts.get(name) ?? 0;
          if (count === most) continue;
          counts.set(name, count + 1);
          scheduler.push({ runId: `r${index}`, owner: `o${name}` });
        }
        const means = [...meanWaits(scheduler, slots).values()].sort((left, right) => left - right);
        const median = means[Math.floor(means.length / 2)] ?? 0;
        expect(means.at(-1)).toBeLessThanOrEqual(2 * median + slots);
      },
    ),
    { numRuns: 60 },
  );
});

test("owners with waiting runs start in proportion to their weights", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 }), (weights) => {
      const scheduler = new RunScheduler({ ...UNLIMITED, quotaOf: (name) => ({ weight: weights[Number(name)] ?? 1 }) });
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const index of weights.keys()) {
        for (let run = 0; run < 20 * total; run += 1)
          scheduler.push({ runId: `${index}-${run}`, owner: String(index) });
      }
      const starts = weights.map(() => 0);
      for (let start = 0; start < 10 * total; start += 1) {
        const next = scheduler.next({ worker: EVERYTHING, day: DAY });
        const index = Number(next?.owner);
        starts[index] = (starts[index] ?? 0) + 1;
      }
      for (const [index, weight] of weights.entries())
        expect(Math.abs((starts[index] ?? 0) - 10 * weight)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 30 },
  );
});

test("an owner who floods the queue does not delay the first run of another owner", () => {
  const scheduler = new RunScheduler(UNLIMITED);
  for (let run = 0; run < 1_000; run += 1) scheduler.push({ runId: `flood-${run}`, owner: "flood" });
  for (let start = 0; start < 100; start += 1) scheduler.next({ worker: EVERYTHING, day: DAY });
  scheduler.push({ runId: "late", owner: "other" });
  const next = [0, 1].map(() => scheduler.next({ worker: EVERYTHING, day: DAY })?.runId);
  expect(next).toContain("late");
});

test("the daily limit of an owner ends with the day", () => {
  const scheduler = new RunScheduler({ ...UNLIMITED, quotaOf: () => ({ maxStartsPerDay: 1 }) });
  for (const runId of ["r1", "r2"]) scheduler.push({ runId, owner: "o" });
  const starts = [DAY, DAY, "2026-11-29"].map((day) => scheduler.next({ worker: EVERYTHING, day })?.runId);
  expect(starts).toEqual(["r1", undefined, "r2"]);
});

test("a dedicated worker takes only runs that require all of its labels", () => {
  const scheduler = new RunScheduler(UNLIMITED);
  const worker: WorkerAbilities = { ...EVERYTHING, labels: { job: "j", zone: "1" }, isDedicated: true };
  scheduler.push({ runId: "unlabelled", owner: "o" });
  scheduler.push({ runId: "partly", owner: "o", needs: { labels: { job: "j" } } });
  scheduler.push({ runId: "labelled", owner: "o", needs: { labels: { job: "j", zone: "1" } } });
  const next = (taker: WorkerAbilities) => scheduler.next({ worker: taker, day: DAY })?.runId;
  expect([next(worker), next(worker)]).toEqual(["labelled", undefined]);
  expect(next({ ...worker, isDedicated: false })).toBe("unlabelled");
});

/** Serves all runs of several owners and returns how often the scheduler looked at an owner. */
function countLooks(count: number, owners: number): number {
  let looks = 0;
  const quotaOf = (): OwnerQuota => {
    looks += 1;
    return {};
  };
  const scheduler = new RunScheduler({ ...UNLIMITED, quotaOf });
  const engines = ["agent", "custom", "codex", "claude-code"];
  const worker: WorkerAbilities = { name: "w", engines, environments: [], labels: {} };
  for (let run = 0; run < count; run += 1) {
    const engine = engines[run % engines.length];
    scheduler.push({ runId: `r${run}`, owner: `o${run % owners}`, priority: run % 3, needs: { engine } });
  }
  let served = 0;
  for (let next = scheduler.next({ worker, day: DAY }); next !== undefined; served += 1) {
    scheduler.ended(next.runId);
    next = scheduler.next({ worker, day: DAY });
  }
  expect(served).toBe(count);
  return looks;
}

test("the work for one decision does not grow with the number of queued runs or owners", () => {
  for (const owners of [10_000, 200, 1]) expect(countLooks(10_000, owners) / 10_000).toBeLessThan(10);
});

test("skipped runs and later runs with the same requirements all start, in any order", () => {
  const step = fc.record({ kind: fc.constantFrom("push", "decline", "end skip", "cancel"), pick: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
      const scheduler = new RunScheduler(UNLIMITED);
      const waiting = new Set<string>();
      const next = () => scheduler.next({ worker: EVERYTHING, day: DAY });
      for (const [index, { kind, pick }] of steps.entries()) {
        const chosen = [...waiting][pick % Math.max(1, waiting.size)] ?? "";
        if (kind === "push") {
          scheduler.push({ runId: `r${index}`, owner: "o" });
          waiting.add(`r${index}`);
        }
        if (kind === "end skip") scheduler.endSkip(chosen);
        if (kind === "cancel" && scheduler.remove(chosen)) waiting.delete(chosen);
        const offered = kind === "decline" ? next() : undefined;
        if (offered === undefined) continue;
        scheduler.giveBack(offered, DAY);
        scheduler.skip(offered.runId);
      }
      for (const runId of waiting) scheduler.endSkip(runId);
      const started = new Set<string>();
      for (let run = next(); run !== undefined; run = next()) started.add(run.runId);
      expect(started).toEqual(waiting);
    }),
  );
});
