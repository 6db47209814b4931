import { expect, test } from "vitest";
import { refusalOf } from "../../test/outcome.ts";
import { loadLibsql } from "./libsql.ts";

test("without the database library, the error says what to install", async () => {
  const missing = new Error("Cannot find package 'libsql'");
  const refusal = await refusalOf(loadLibsql(() => Promise.reject(missing)));
  expect(refusal.code).toBe("store.driver_missing");
  expect(refusal.remedy).toContain("npm install libsql");
  expect(refusal.cause).toBe(missing);
});
