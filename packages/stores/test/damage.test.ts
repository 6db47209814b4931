import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type RunStore } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { openFileCheckpointStore, openFileStore } from "../src/file/index.ts";
import { codeOf, listOf, refusalOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

const CORRUPT = ["checkpoint.corrupt", "checkpoint.newer_format"];

/** Creates a finished run with three checkpoints in one log, and three events. */
async function openRun(): Promise<{ store: RunStore; folder: string; log: string }> {
  const directory = await temporaryFolder();
  const store = openFileStore({ directory });
  // The failure is ignored, because a test may have removed the lease folder.
  onTestFinished(() => store.close().catch(() => undefined));
  const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  const board = createBoard();
  for (const value of [1, 2, 3]) {
    board.appendSliceVar("values", value);
    await writer.save({ ...sampleCheckpoint("run-1", 0), board: board.snapshot() });
  }
  await writer.append(sampleEvents(1, 3));
  await writer.finish(sampleReport("run-1"), { status: "interrupted" });
  return { store, folder: writer.folder, log: join(writer.folder, "checkpoints", "1.jsonl") };
}

/** Resolves with the result of loading: the newest board value, `absent`, or the error code. */
async function outcomeOf(load: () => ReturnType<RunStore["load"]>): Promise<unknown> {
  try {
    const values = (await load())?.board.vars["values"];
    return Array.isArray(values) ? values.at(-1) : "absent";
  } catch (error) {
    return EngineError.is(error) ? error.code : error;
  }
}

describe("a damaged log of checkpoints", () => {
  test("truncated anywhere, it returns the last saved checkpoint or an error, never an older checkpoint or none [D2] [D3]", async () => {
    const { store, log } = await openRun();
    const intact = await readFile(log);
    const ends = [...intact.keys()].filter((index) => intact[index] === 0x0a);
    for (let size = 0; size < intact.length; size += 1) {
      await writeFile(log, intact.subarray(0, size));
      // A line counts if it is complete up to its closing brace; the line ending is not needed.
      const lines = ends.filter((end) => end <= size).length;
      expect([size, await outcomeOf(() => store.load("run-1"))]).toEqual([
        size,
        lines === 0 ? "checkpoint.corrupt" : lines < 3 ? "checkpoint.lost" : 3,
      ]);
    }
    expect(await codeOf(writeFile(log, "").then(() => store.load("run-1")))).toBe("checkpoint.corrupt");
  });

  test("with any changed bit it gives a classified error that names the file [D3] [engine-checkpoint-store-3]", async () => {
    const { store, log } = await openRun();
    const intact = await readFile(log);
    for (let index = 0; index < intact.length; index += 1) {
      const flipped = Buffer.from(intact);
      flipped[index] = (flipped[index] ?? 0) ^ (1 << (index % 8));
      await writeFile(log, flipped);
      const error = await refusalOf(store.load("run-1"));
      expect(CORRUPT).toContain(error.code);
      expect(error.details["path"]).toBe(log);
    }
  });

  test("zeros, another run's log, a newer release's log and a missing one are distinguished [D3] [D11]", async () => {
    const { store, log, folder } = await openRun();
    const intact = await readFile(log, "utf8");
    await writeFile(log, Buffer.alloc(intact.length));
    expect(await outcomeOf(() => store.load("run-1"))).toBe("checkpoint.corrupt");
    await writeFile(log, `${intact}{"kind":"whole","check":"2:0123"}\n`);
    expect(await outcomeOf(() => store.load("run-1"))).toBe("checkpoint.newer_format");
    expect(await readFile(log, "utf8")).toContain('"2:0123"');
    const other = await store.create(sampleRecord("run-2"), SAMPLE_REQUEST);
    await other.save(sampleCheckpoint("run-2", 1));
    await writeFile(log, await readFile(join(other.folder, "checkpoints", "1.jsonl")));
    expect(await outcomeOf(() => store.load("run-1"))).toBe("checkpoint.foreign");
    await rm(log);
    expect(await outcomeOf(() => store.load("run-1"))).toBe("checkpoint.corrupt");
    await rm(join(folder, "checkpoints"), { recursive: true });
    await writeFile(join(folder, "checkpoints"), "");
    expect(await outcomeOf(() => store.load("run-1"))).toBe("checkpoint.corrupt");
  });

  test("it is not changed by a writer that cannot load it [D3]", async () => {
    const { store, log } = await openRun();
    const intact = await readFile(log);
    for (const damaged of [
      intact.subarray(0, 20),
      Buffer.alloc(50),
      Buffer.concat([intact.subarray(0, -1), Buffer.from("?")]),
    ]) {
      await writeFile(log, damaged);
      for (const takeOver of [false, true]) {
        const first = await store.acquire("run-1");
        const writer = takeOver ? await store.acquire("run-1", { takeOver }) : first;
        expect(await codeOf(writer.load())).toBe("checkpoint.corrupt");
        await writer.release();
      }
      expect(await readFile(log)).toEqual(damaged);
    }
  });

  test("an incomplete last line is removed by the next writer, and no data is lost [D2]", async () => {
    for (const damage of ["torn", "unended"]) {
      const { store, log } = await openRun();
      const intact = await readFile(log);
      // Simulates a writer that died while it saved a fourth checkpoint.
      const torn = Buffer.concat([intact, intact.subarray(intact.lastIndexOf(0x0a, -2) + 1, -60)]);
      const newest = 3;
      await writeFile(log, damage === "torn" ? torn : intact.subarray(0, -1));
      const writer = await store.acquire("run-1");
      const loaded = await writer.load();
      expect(loaded?.board.vars["values"]).toHaveLength(newest);
      const board = createBoard(loaded?.board);
      board.appendSliceVar("values", "next");
      await writer.save({ ...sampleCheckpoint("run-1", 0), board: board.snapshot() });
      await writer.release();
      expect(await outcomeOf(() => store.load("run-1"))).toBe("next");
    }
  });
});

describe("damaged files of a run", () => {
  test("a damaged event is skipped and reported at the end; the next event keeps its number [D8]", async () => {
    const { store, folder } = await openRun();
    const path = join(folder, "events.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const damaged = lines.map((line, index) => (index === 1 ? line.replace('"x"', '"y"') : line)).join("\n");
    await writeFile(path, damaged);
    const seqs: unknown[] = [];
    const error = await refusalOf(
      (async () => {
        for await (const { seq } of store.events("run-1")) seqs.push(seq);
      })(),
    );
    expect(seqs).toEqual([1, 3]);
    expect([error.code, error.message]).toEqual([
      "run.malformed_record",
      expect.stringContaining("line 2: its checksum"),
    ]);
    // A damaged line at the end also counts as one event number.
    await writeFile(path, damaged.replace('"seq":3', '"seq":9'));
    const writer = await store.acquire("run-1");
    expect(writer.lastSeq).toBe(3);
    await writer.release();
  });

  test("events after a number are read without the log before them, and damage is reported with its line [D8]", async () => {
    const { store, folder } = await openRun();
    const writer = await store.acquire("run-1");
    for (let seq = 4; seq <= 300; seq += 1) {
      // Some lines are longer than the chunk that is read at a time.
      await writer.append(sampleEvents(seq, seq, "y".repeat(seq % 60 === 0 ? 200_000 : 500)));
    }
    await writer.release();
    const all = (await listOf(store.events("run-1"))).map(({ seq = 0 }) => seq);
    for (const seq of [...all, 1000]) {
      expect((await listOf(store.events("run-1", seq))).map(({ seq }) => seq)).toEqual(all.slice(seq));
    }
    const path = join(folder, "events.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const damage = (line: string, index: number) => ([1, 298].includes(index) ? line.replace("seq", "sep") : line);
    await writeFile(path, lines.map(damage).join("\n"));
    const messageOf = async (afterSeq: number) => (await refusalOf(listOf(store.events("run-1", afterSeq)))).message;
    expect(await messageOf(0)).toContain("line 2: its checksum");
    expect(await messageOf(250)).toContain("line 299: its checksum");
  });

  test("events are given out as they were handed in, without the check", async () => {
    const { store } = await openRun();
    const expected: unknown[] = sampleEvents(1, 3).map(({ text }) => JSON.parse(text));
    expect(await listOf(store.events("run-1"))).toEqual(expected);
  });

  test("a damaged record, request or report is a problem of its run, which can be deleted [D3]", async () => {
    for (const name of ["run.json", "request.json", "report.json"]) {
      for (const content of ["", "{}", "\0".repeat(200), '{\n  "format": 1,\n  "checksum": "9:x"\n}\n']) {
        const code = content.includes('"9:') ? "store.newer_format" : "run.malformed_record";
        const { store, folder } = await openRun();
        await writeFile(join(folder, name), content);
        const { problems, record } = await store.show("run-1");
        expect([problems.map(({ code }) => code), record === undefined]).toEqual([[code], name === "run.json"]);
        const [listed] = await store.list();
        expect("problem" in (listed ?? {})).toBe(name === "run.json");
        if (name !== "report.json") expect(await codeOf(store.acquire("run-1"))).toBe(code);
        expect((await store.show("run-1")).lease?.isHeld).toBe(false);
        await store.delete("run-1");
        expect(await store.list()).toEqual([]);
      }
    }
  });

  test("the record of another run is not taken for this one's", async () => {
    const { store, folder } = await openRun();
    const other = await store.create(sampleRecord("run-2"), SAMPLE_REQUEST);
    await writeFile(join(folder, "run.json"), await readFile(join(other.folder, "run.json")));
    expect((await refusalOf(store.acquire("run-1"))).message).toContain("it is the record of the run run-2");
  });
});

describe("checkpoints alone in files", () => {
  test("cut off or changed anywhere a file gives a classified error [D3] [engine-checkpoint-store-3]", async () => {
    const directory = await temporaryFolder();
    const store = openFileCheckpointStore({ directory });
    await store.save(sampleCheckpoint("run-1", 1));
    const path = join(directory, "run-1.jsonl");
    const intact = await readFile(path);
    for (let index = 0; index < intact.length; index += 1) {
      await writeFile(path, intact.subarray(0, index));
      expect(await codeOf(store.load("run-1"))).toBe("checkpoint.corrupt");
      const flipped = Buffer.from(intact);
      flipped[index] = (flipped[index] ?? 0) ^ (1 << (index % 8));
      await writeFile(path, flipped);
      expect(CORRUPT).toContain(await codeOf(store.load("run-1")));
    }
  });
});

describe("files of another run, of a newer release and of no run", () => {
  test("a request and events of another run are reported, and never treated as the run's own [D3]", async () => {
    const { store, folder } = await openRun();
    const other = await store.create(sampleRecord("run-2"), SAMPLE_REQUEST);
    const request = join(folder, "request.json");
    const intact = await readFile(request);
    await writeFile(request, await readFile(join(other.folder, "request.json")));
    const refusal = await refusalOf(store.acquire("run-1"));
    expect([refusal.code, refusal.details["path"]]).toEqual(["run.malformed_record", request]);
    expect(refusal.message).toContain("it is the request of the run run-2");
    expect((await store.show("run-1")).problems.map(({ code }) => code)).toEqual(["run.malformed_record"]);
    await writeFile(request, intact);

    const named = sampleEvents(1, 2).map(({ seq, text }) => ({ seq, text: text.replace("{}", '{"run_id":"run-2"}') }));
    await other.append(named);
    expect(await listOf(store.events("run-2"))).toHaveLength(2);
    await writeFile(join(folder, "events.jsonl"), await readFile(join(other.folder, "events.jsonl")));
    const foreign = await refusalOf(listOf(store.events("run-1")));
    expect(foreign.code).toBe("run.malformed_record");
    expect(foreign.message).toContain("line 1: it is an event of the run run-2");
    const writer = await store.acquire("run-1");
    expect(writer.lastSeq).toBe(2);
  });

  test("an event that was removed from the log is reported [D8]", async () => {
    const { store, folder } = await openRun();
    const path = join(folder, "events.jsonl");
    const [first = "", , third = ""] = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, `${first}\n${third}\n`);
    const refusal = await refusalOf(listOf(store.events("run-1")));
    expect(refusal.message).toContain("line 2: event 3 does not follow event 1");
    expect(await refusalOf(listOf(store.events("run-1", 1)))).toMatchObject({ code: "run.malformed_record" });
    expect(await listOf(store.events("run-1", 2))).toHaveLength(1);
  });

  test("documents of a newer release are not damage [D11]", async () => {
    const { store, folder } = await openRun();
    for (const name of ["run.json", "request.json", "report.json"]) {
      const path = join(folder, name);
      const intact = await readFile(path, "utf8");
      await writeFile(path, intact.replace('"checksum": "1:', '"checksum": "7:'));
      const [problem] = (await store.show("run-1")).problems;
      expect([problem?.code, problem?.details["path"], problem?.details["format"]]).toEqual([
        "store.newer_format",
        path,
        7,
      ]);
      await writeFile(path, intact);
    }
  });

  test("a checkpoint of another run is refused with its file [D3]", async () => {
    const { store, log } = await openRun();
    const other = await store.create(sampleRecord("run-2"), SAMPLE_REQUEST);
    await other.save(sampleCheckpoint("run-2", 1));
    await writeFile(log, await readFile(join(other.folder, "checkpoints", "1.jsonl")));
    expect((await refusalOf(store.load("run-1"))).message).toContain(log);
  });

  test("an invalid state folder is unreadable, not damaged", async () => {
    const directory = join(await temporaryFolder(), "state");
    await writeFile(directory, "");
    const refusal = await refusalOf(openFileStore({ directory }).list());
    expect(refusal.code).toBe("store.unreadable");
    expect(refusal.message).toBe(`${join(directory, "runs")} cannot be read: not a directory (ENOTDIR)`);
  });
});

describe("saved checkpoints that have disappeared", () => {
  test("all of them, an older copy of their log, and a whole run folder that is older are errors [D2] [D3]", async () => {
    const { store, folder, log } = await openRun();
    const checkpoints = join(folder, "checkpoints");
    const intact = await readFile(log);
    await rm(checkpoints, { recursive: true });
    const refusal = await refusalOf(store.load("run-1"));
    expect([refusal.code, refusal.details["path"]]).toEqual(["checkpoint.lost", checkpoints]);
    expect(refusal.message).toContain("checkpoint 3 was saved, but no checkpoint is stored");
    const first = await store.acquire("run-1");
    expect(await codeOf(first.load())).toBe("checkpoint.lost");
    await first.release();

    await mkdir(checkpoints);
    await writeFile(log, intact);
    const copy = `${folder}.copy`;
    await cp(folder, copy, { recursive: true });
    const writer = await store.acquire("run-1");
    const board = createBoard((await writer.load())?.board);
    board.appendSliceVar("values", 4);
    await writer.save({ ...sampleCheckpoint("run-1", 0), board: board.snapshot() });
    await writer.release();
    await rm(folder, { recursive: true });
    await cp(copy, folder, { recursive: true });
    expect((await refusalOf(store.load("run-1"))).message).toContain("the newest stored checkpoint is number 3");
  });

  test("a run folder from before a later writer's events is refused, although it never had a checkpoint [D2]", async () => {
    const directory = await temporaryFolder();
    const store = openFileStore({ directory });
    const first = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const { folder } = first;
    await first.release();
    await cp(folder, `${folder}.copy`, { recursive: true });
    const second = await store.acquire("run-1");
    await second.append(sampleEvents(1, 2));
    await second.release();
    await rm(folder, { recursive: true });
    await cp(`${folder}.copy`, folder, { recursive: true });
    const third = await store.acquire("run-1");
    expect((await refusalOf(third.load())).message).toContain("the stored run is older than its watermark");
    await third.release();
  });

  test("a missing, damaged or foreign watermark changes nothing, and it is removed with its run", async () => {
    const { store, folder } = await openRun();
    const watermarks = join(folder, "../../watermarks");
    const path = join(watermarks, "run-1");
    const intact = await readFile(path, "utf8");
    const other = await store.create(sampleRecord("run-2"), SAMPLE_REQUEST);
    for (const value of [1, 2, 3, 4, 5]) await other.save(sampleCheckpoint("run-2", value));
    await other.release();
    for (const content of [
      "",
      "\n",
      intact.slice(0, 30),
      intact.replace("3", "9"),
      await readFile(join(watermarks, "run-2")),
    ]) {
      await writeFile(path, content);
      expect(await outcomeOf(() => store.load("run-1"))).toBe(3);
    }
    await rm(path);
    expect(await outcomeOf(() => store.load("run-1"))).toBe(3);
    await store.delete("run-1");
    await store.delete("run-2");
    expect(await readdir(watermarks)).toEqual([]);
  });
});

test("a lease that was replaced by a link is refused, and nothing at the link's target is removed", async () => {
  const { store, folder } = await openRun();
  const outside = await temporaryFolder();
  await writeFile(join(outside, "mine.txt"), "mine");
  const lease = (await readdir(folder)).find((name) => name.startsWith(".lease-")) ?? "";
  await rm(join(folder, lease), { recursive: true });
  await symlink(outside, join(folder, lease));
  expect(await codeOf(store.acquire("run-1"))).toBe("run.malformed_record");
  expect(await readFile(join(outside, "mine.txt"), "utf8")).toBe("mine");
});
