import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFanOutFile, planFanOut, runFanOut } from "../../src/index.ts";

const folder = await mkdtemp(join(tmpdir(), "fan-out-file-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = (path: string, value: unknown): Promise<void> => writeFile(path, JSON.stringify(value));
const PLAN = planFanOut({ items: [{ id: "t1" }, { id: "t2" }] });

test("a new file has no records; the next process reads the saved run and the journal after it", async () => {
  const path = join(folder, "run.json");
  const file = await openFanOutFile(path, { write });
  expect(file.records).toEqual([]);
  const execute = async () => ({ outcome: { status: "succeeded" } });
  const run = await runFanOut(PLAN, { execute });
  const [first, second] = run.records;
  if (first === undefined || second === undefined) throw new Error("a task has no record");
  await file.save({ ...run, status: "incomplete", records: [first] });
  await file.storeRecord?.(second);
  // Records contain the responses of agents, so only the user may read them.
  expect((await stat(`${path}.journal`)).mode & 0o777).toBe(0o600);
  await writeFile(`${path}.journal`, `${await readFile(`${path}.journal`, "utf8")}{"id":"t3","gro`);
  const next = await openFanOutFile(path, { write });
  expect(next.records.map(({ id }) => id)).toEqual([first.id, second.id]);
  await next.save(run);
  await expect(readFile(`${path}.journal`)).rejects.toThrow("ENOENT");
});

test("a file without a fan-out run is rejected, and a folder as well", async () => {
  const path = join(folder, "other.json");
  await writeFile(path, "{ no json");
  await expect(openFanOutFile(path, { write })).rejects.toMatchObject({
    code: "input.malformed",
    details: { line: 1 },
  });
  await expect(openFanOutFile(folder, { write })).rejects.toMatchObject({ code: "input.unreadable" });
});
