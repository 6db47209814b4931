import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { ENVIRONMENT_ROWS } from "./environment-rows.ts";

test("every environment of the table has a suite of its own, and every suite is in the table", () => {
  const suites = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts"));
  const rows = ENVIRONMENT_ROWS.map(({ name }) => `${name.replaceAll(" ", "-")}.test.ts`);
  expect([...rows, "environment-rows.test.ts"].sort()).toEqual(suites.sort());
});
