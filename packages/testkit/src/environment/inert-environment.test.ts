import { isExecutionEnvironment } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { inertEnvironment } from "../index.ts";

test("it is empty, and every operation fails", async () => {
  await using environment = inertEnvironment();
  expect(isExecutionEnvironment(environment)).toBe(true);
  expect(await environment.exists("a")).toBe(false);
  await expect(environment.readFile("a")).rejects.toThrow("nothing is there");
  await expect(environment.shell("true")).rejects.toThrow("nothing is there");
});
