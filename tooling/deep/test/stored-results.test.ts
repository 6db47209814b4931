import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SUITES } from "../src/suites.mjs";

const FOLDER = join(import.meta.dirname, "../results");

function readStored(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
}

test("each suite has stored figures of a full run without failures, and nothing else is stored", async () => {
  const files = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ""));
  expect(files.sort()).toEqual(Object.keys(SUITES).sort());
  for (const [name, load] of Object.entries(SUITES)) {
    const { title, counts } = await load();
    const stored = readStored(name);
    expect(stored, name).toMatchObject({ title, failures: 0 });
    expect(stored["cases"], name).toBeGreaterThanOrEqual(counts.deep);
  }
});
