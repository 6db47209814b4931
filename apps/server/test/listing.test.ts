import { createClient } from "@switchyard/client";
import { EngineError, type ListedRun, type RunRecord, type RunView } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { RunIndex } from "../src/listing/run-index.ts";
import { call } from "./call-api.ts";
import { ASK, answering, DONE, makeFolder, openServer } from "./open-server.ts";
import { seededRecord, seedRuns } from "./seed-runs.ts";
import { gate, stepEngine } from "./step-engine.ts";

const COUNT = 40;

async function openSeeded() {
  const state = `${await makeFolder()}/state`;
  await seedRuns(state, COUNT);
  const server = await openServer(
    answering(() => DONE),
    { stateDirectory: state },
  );
  return { state, server, runs: createClient({ url: server.url }).runs };
}

const titles = (runs: readonly RunView[]): string[] => runs.map(({ title }) => title);

test("a search finds runs on every page by words of title, engine, model and id, and counts them", async () => {
  const { runs } = await openSeeded();
  const found = await runs.list({ search: "FIX case-0", limit: 1 });
  expect(titles(found.runs)).toEqual([seededRecord(0).title]);
  expect(found.total).toBe(1);
  const codex = await runs.list({ search: "codex scripted", limit: 5 });
  expect(codex.runs.every(({ engine }) => engine === "codex")).toBe(true);
  expect([codex.runs.length, codex.total]).toEqual([5, 13]);
  const [first] = codex.runs;
  expect(titles((await runs.list({ search: first?.run_id })).runs)).toEqual([first?.title]);
  expect(await runs.list({ search: "no such words" })).toEqual({ runs: [], total: 0 });
});

test("runs are filtered by the time of acceptance, from and before, with a date or an offset", async () => {
  const { runs } = await openSeeded();
  const at = (index: number): string => seededRecord(index).created_at;
  expect((await runs.list({ since: at(30) })).total).toBe(10);
  expect((await runs.list({ until: at(30) })).total).toBe(30);
  expect((await runs.list({ since: at(10), until: at(20) })).total).toBe(10);
  expect((await runs.list({ since: "2026-01-01" })).total).toBe(COUNT);
  expect((await runs.list({ since: "2026-01-01T02:00:00+01:00" })).total).toBe(COUNT - 6);
});

test.each(["-created", "created", "-cost", "cost", "-tokens", "tokens", "-duration", "duration"] as const)(
  "pages in the order %s contain every run once, in order",
  async (sort) => {
    const { runs } = await openSeeded();
    const listed: RunView[] = [];
    for await (const run of runs.all({ sort, limit: 7 })) listed.push(run);
    expect(new Set(listed.map(({ run_id }) => run_id)).size).toBe(COUNT);
    const sortValue = (run: RunView): number =>
      sort.endsWith("created")
        ? Date.parse(run.created_at)
        : sort.endsWith("duration")
          ? Date.parse(run.finished_at ?? "") - Date.parse(run.started_at ?? "")
          : sort.endsWith("cost")
            ? (run.usage?.cost_micros ?? 0)
            : (run.usage?.total_tokens ?? 0);
    const values = listed.map(sortValue);
    const sorted = values.toSorted((left, right) => (sort.startsWith("-") ? right - left : left - right));
    expect(values).toEqual(sorted);
  },
);

test("statistics count runs, outcomes, tokens and costs by day and engine", async () => {
  const { runs } = await openSeeded();
  const { rows, engines } = await runs.statistics();
  expect(engines).toEqual(["agent", "codex", "opencode"]);
  const records = Array.from({ length: COUNT }, (_, index) => seededRecord(index));
  const agents = records.filter(({ engine }) => engine === "agent");
  expect(rows.find(({ engine }) => engine === "agent")).toEqual({
    ...{ day: "2026-01-01", engine: "agent", runs: agents.length, priced: agents.length },
    completed: agents.filter(({ status }) => status === "completed").length,
    not_completed: agents.filter(({ status }) => status !== "completed").length,
    total_tokens: agents.reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0),
    cost_micros: agents.reduce((sum, { usage }) => sum + (usage?.cost_micros ?? 0), 0),
  });
  expect((await runs.statistics({ engine: "codex", status: ["failed"] })).rows.map(({ engine }) => engine)).toEqual([
    "codex",
  ]);
});

test("an unknown order, a time without offset and a cursor of another server are rejected", async () => {
  const { server } = await openSeeded();
  for (const query of [
    "sort=name",
    "since=yesterday",
    "since=2026-01-01T00:00:00",
    "cursor=x",
    `search=${"x".repeat(201)}`,
  ]) {
    const answer = await call(server, `GET /v1/runs?${query}`);
    expect([answer.status, answer.body["code"]]).toEqual([400, "server.bad_parameter"]);
  }
});

test("a run of another process is listed, and a run that it deleted is not", async () => {
  const { state, runs } = await openSeeded();
  const other = openFileStore({ directory: state });
  const record = { ...seededRecord(COUNT), title: "From elsewhere" };
  await (await other.create(record, { format: 1, input: ASK })).release();
  await expect.poll(async () => (await runs.list({ search: "elsewhere" })).total).toBe(1);
  await other.delete(record.run_id);
  await expect.poll(async () => (await runs.list({ search: "elsewhere" })).total).toBe(0);
});

test("the list shows the status, the turn and the tokens of a run in progress, and its usage after the end", async () => {
  const blocked = gate();
  const server = await openServer(stepEngine({ steps: 2, before: (step) => step === 2 && blocked.opened }));
  const { runs } = createClient({ url: server.url });
  const { run_id: runId } = await runs.create(ASK);
  await expect
    .poll(async () => (await runs.list()).runs[0])
    .toMatchObject({ status: "running", resumable: false, activity: { turn: 1 } });
  blocked.open();
  await runs.wait(runId);
  const [run] = (await runs.list()).runs;
  expect(run).toMatchObject({ status: "completed", usage: { total_tokens: 0 } });
  expect(run?.activity).toBeUndefined();
});

/** An index whose store is read when `open` is called, and then takes `durationMs`. */
function slowIndex(listed: () => ListedRun[], durationMs: number) {
  let nowMs = 0;
  let reads = 0;
  const blocked = { current: Promise.resolve() };
  const index = new RunIndex({
    store: {
      list: async () => {
        reads += 1;
        const found = listed();
        await blocked.current;
        nowMs += durationMs;
        return found;
      },
      show: async (runId) => {
        const run = listed().find((candidate) => candidate.runId === runId);
        if (run === undefined || !("record" in run))
          throw new EngineError("run.not_found", { runId, stateDirectory: "" });
        return { ...run, folder: run.location, problems: [] };
      },
    },
    monotonic: () => nowMs,
    onError: (error) => expect.fail(String(error)),
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { index, blocked, pass, reads: () => reads };
}

const toListed = (record: RunRecord): ListedRun => ({
  ...{ runId: record.run_id, location: "", record, lease: { epoch: 1, isHeld: false } },
});

test("a large store is read in the background, at most 5 % of the time", async () => {
  const records = [seededRecord(0)];
  const { index, pass, reads } = slowIndex(() => records.map(toListed), 1_000);
  expect(await index.all()).toHaveLength(1);
  records.push(seededRecord(1));
  pass(19_000);
  expect(await index.all()).toHaveLength(1);
  expect(reads()).toBe(1);
  pass(1_000);
  await index.all();
  await expect.poll(async () => (await index.all()).length).toBe(2);
  expect(reads()).toBe(2);
});

test("a write during a read of the store is newer than what the read returns", async () => {
  const [first, second] = [seededRecord(0), seededRecord(1)];
  // The first read takes long, so later answers come from memory.
  const { index, blocked } = slowIndex(() => [first, second].map(toListed), 1_000);
  await index.all();
  const opening = gate();
  blocked.current = opening.opened;
  const reading = index.list();
  const third = seededRecord(2);
  index.put({ ...first, status: "cancelled" }, false);
  index.remove(second.run_id);
  index.put(third, true);
  opening.open();
  await reading;
  expect((await index.all()).map(({ record }) => [record.title, record.status])).toEqual([
    [third.title, third.status],
    [first.title, "cancelled"],
  ]);
});

test("a list that comes from memory shows the end of a run that was shown before", async () => {
  const [ended, working] = [seededRecord(0), seededRecord(1)];
  let listed: RunRecord[] = [ended, working].map((record) => ({ ...record, status: "running" }));
  const { index } = slowIndex(() => listed.map(toListed), 1_000);
  await index.all();
  listed = listed.map((record) => (record.run_id === ended.run_id ? { ...record, status: "completed" } : record));
  await index.show(ended.run_id);
  await index.show(working.run_id);
  const statuses = Object.fromEntries((await index.all()).map(({ record }) => [record.run_id, record.status]));
  expect(statuses).toEqual({ [ended.run_id]: "completed", [working.run_id]: "running" });
});
