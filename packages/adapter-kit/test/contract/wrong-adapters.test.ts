import { fileURLToPath } from "node:url";
import { adapterContract, runContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { acme } from "../acme.ts";
import { adapterFactory } from "./open-adapter.ts";
import { wrongFactory, wrongOutcomes, wrongSessions, wrongTelling } from "./wrong-adapters.ts";
import { wrongClaims, wrongEnvironments } from "./wrong-claims.ts";

const WRONG = [...wrongSessions, ...wrongEnvironments, ...wrongClaims, ...wrongTelling, ...wrongOutcomes];
const DIALECT = fileURLToPath(new URL("./acme-dialect.mjs", import.meta.url));
/** A wrong adapter may hang. The tests wait no longer than this. */
const CASE_MS = 8_000;
const TEST_MS = 300_000;

describe.concurrent("the contract of adapters finds each wrong one [adapter-testing-2]", () => {
  test.for(WRONG)("detects: $fault", { timeout: TEST_MS }, async (wrong, { expect }) => {
    const cases = adapterContract.filter(({ id }) => wrong.noticedBy.includes(id));
    expect(cases.map(({ id }) => id).sort()).toEqual([...wrong.noticedBy].sort());
    const results = await runContract(
      cases,
      wrongFactory(wrong, (leading) => adapterFactory(acme, DIALECT, leading)),
      { timeoutMs: CASE_MS },
    );
    expect(results.map(({ id, status, problem }) => (status === "failed" ? id : { id, status, problem }))).toEqual(
      cases.map(({ id }) => id),
    );
  });

  test("every case notices a wrong adapter", ({ expect }) => {
    const noticing = new Set(WRONG.flatMap(({ noticedBy }) => noticedBy));
    expect(adapterContract.map(({ id }) => id).filter((id) => !noticing.has(id))).toEqual([]);
  });
});
