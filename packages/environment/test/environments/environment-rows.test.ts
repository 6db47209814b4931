import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENVIRONMENT_ROWS } from "./environment-rows.ts";

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), "utf8");
}

test("every environment of the table has a suite of its own, and every suite is in the table", () => {
  const table = /= \[([^\]]+)\]/.exec(read("environment-rows.ts"))?.[1]?.match(/\w+/g) ?? [];
  const suites = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts"));
  const proved = suites.flatMap((file) => [...read(file).matchAll(/^proveEnvironment\((\w+)\);$/gm)]);
  expect(proved.map(([, row]) => row).sort()).toEqual([...table].sort());
  expect(new Set(ENVIRONMENT_ROWS.map(({ name }) => name)).size).toBe(table.length);
});
