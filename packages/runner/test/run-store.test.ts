import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { manualClock } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { createRunId, openRunStore, runSession } from "../src/index.ts";
import { collect, task, temporaryPlace, typesOf } from "./temporary-session.ts";

const engine = defineEngine(async (_run, _host, board) => {
  board.set(SESSION_RESULT, { exit_code: 0, final_message: "ok" });
});

test("runs are listed, the newest first; before there are any the list is empty", async () => {
  using place = temporaryPlace();
  const store = openRunStore(place.stateDirectory);
  expect(await store.list()).toEqual([]);
  const clock = manualClock();
  const ids: string[] = [];
  for (const title of ["one", "two", "three"]) {
    ids.unshift((await runSession(task(title), place.options({ engine, now: clock.now }))).runId);
    await clock.advance(1_000);
  }
  const listed = await store.list();
  expect(listed.map((run) => run.runId)).toEqual(ids);
  expect(listed.map((run) => ("record" in run ? run.record.title : ""))).toEqual(["three", "two", "one"]);
});

test("run ids sort by the time they were made at, need no escaping and differ", () => {
  const ids = [0, 1, 31, 32, 1_700_000_000_000, Date.UTC(2100, 0)].map((time) => createRunId(time));
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => /^[0-9a-z]{26}$/.test(id))).toBe(true);
  expect(new Set(Array.from({ length: 1_000 }, () => createRunId(0))).size).toBe(1_000);
});

test("damaged and half-written runs are listed with their problem, and the others beside them", async () => {
  using place = temporaryPlace();
  const good = await runSession(task(), place.options({ engine, runId: "good" }));
  const runs = join(place.stateDirectory, "runs");
  const damage: Record<string, string | undefined> = {
    "never-accepted": undefined,
    empty: "",
    torn: readFileSync(join(runs, "good/run.json"), "utf8").slice(0, 40),
    zeroed: "\u0000".repeat(200),
    list: "[]",
    foreign: readFileSync(join(runs, "good/run.json"), "utf8"),
    newer: JSON.stringify({ format: 2, run_id: "newer" }),
  };
  for (const [name, content] of Object.entries(damage)) {
    mkdirSync(join(runs, name));
    if (content !== undefined) writeFileSync(join(runs, name, "run.json"), content);
    utimesSync(join(runs, name), 0, 0);
  }
  mkdirSync(join(runs, "folder/run.json"), { recursive: true });
  writeFileSync(join(runs, "a file"), "");
  symlinkSync("nowhere", join(runs, "link"));
  const listed = await openRunStore(place.stateDirectory).list();
  const problems = Object.fromEntries(listed.flatMap((run) => ("problem" in run ? [[run.runId, run.problem]] : [])));
  expect(Object.keys(problems).sort()).toEqual([...Object.keys(damage), "folder"].sort());
  for (const [name, problem] of Object.entries(problems)) {
    expect(problem.code).toBe("run.malformed_record");
    expect(problem.message).toContain(join(runs, name));
  }
  expect(listed.find((run) => run.runId === "good")).toMatchObject({ record: { status: "completed" } });
  expect((await openRunStore(place.stateDirectory).show("good")).report).toEqual(good);
});

test("a run with a damaged record or report still shows the rest", async () => {
  using place = temporaryPlace();
  const { runFolder = "", runId } = await runSession(task(), place.options({ engine }));
  const store = openRunStore(place.stateDirectory);
  truncateSync(join(runFolder, "report.json"), 30);
  const shown = await store.show(runId);
  expect(shown.record?.status).toBe("completed");
  expect(shown.report).toBeUndefined();
  expect(shown.problems.map((problem) => problem.code)).toEqual(["run.malformed_record"]);
  rmSync(join(runFolder, "run.json"));
  expect((await store.show(runId)).problems).toHaveLength(2);
  expect(typesOf(await collect(store.events(runId)))).toEqual(["run_start", "run_status_changed", "run_end"]);
});

test("damaged lines of a log hide no other, and are told of at the end", async () => {
  using place = temporaryPlace();
  const { runFolder = "", runId } = await runSession(task(), place.options({ engine }));
  const path = join(runFolder, "events.jsonl");
  const [start = "", status = "", end = ""] = readFileSync(path, "utf8").split("\n");
  const newer = JSON.stringify({ ...JSON.parse(end), type: "event_of_a_later_release", seq: 9 });
  writeFileSync(path, `${[start, status.slice(5), "\u0000\u0000", newer, end].join("\n")}\n{"half`);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of openRunStore(place.stateDirectory).events(runId)) seen.push(event.type);
  })();
  await expect(reading).rejects.toMatchObject({
    code: "run.malformed_record",
    message: expect.stringContaining("line 2"),
  });
  expect(seen).toEqual(["run_start", "run_end"]);
});

test("unknown runs are not found, and ids that name something else are refused", async () => {
  using place = temporaryPlace();
  await runSession(task(), place.options({ engine }));
  const store = openRunStore(place.stateDirectory);
  await expect(store.show("absent")).rejects.toMatchObject({ code: "run.not_found" });
  await expect(collect(store.events("absent"))).rejects.toMatchObject({ code: "run.not_found" });
  for (const runId of ["..", "../runs", "/etc", ""]) {
    await expect(store.show(runId)).rejects.toMatchObject({ code: "run.invalid_id" });
  }
});
