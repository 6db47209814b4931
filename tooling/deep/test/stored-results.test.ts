import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SUITES } from "../src/suites.mjs";

const FOLDER = join(import.meta.dirname, "../results");

function readStored(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
}

test("stored figures are those of a full run of a known suite without failures", async () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));
  expect(files.length).toBeGreaterThan(0);
  for (const name of files.map((file) => file.replace(/\.json$/, ""))) {
    const load = SUITES[name];
    if (load === undefined) throw new Error(`There is no suite for results/${name}.json.`);
    const { title, counts } = await load();
    const stored = readStored(name);
    expect(stored, name).toMatchObject({ title, failures: 0 });
    expect(stored["cases"], name).toBeGreaterThanOrEqual(counts.deep);
  }
});
