import { constants } from "node:os";
import { expect, test } from "vitest";
import { EXIT_CODES } from "./exit-codes.ts";

const SIGNALS: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));

test("a status named after a signal is 128 plus its number", () => {
  const named = EXIT_CODES.filter(({ name }) => name.startsWith("SIG"));
  expect(named.map(({ name }) => name)).toEqual(["SIGHUP", "SIGTERM"]);
  for (const { code, name, meaning } of named) {
    expect(code).toBe(128 + (SIGNALS.get(name) ?? Number.NaN));
    expect(meaning).toContain(name);
  }
});

test("each status has one meaning", () => {
  expect(new Set(EXIT_CODES.map(({ code }) => code)).size).toBe(EXIT_CODES.length);
});
