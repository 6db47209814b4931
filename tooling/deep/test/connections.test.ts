import { expect, test } from "vitest";
import { behaviourOf, KIND_NAMES } from "../src/suites/connections/behaviour.mjs";
import { attack, connectionsSuite } from "../src/suites/connections/connections.mjs";

const log = () => undefined;
const UNLIMITED = new URL("../src/suites/connections/unlimited-server-process.mjs", import.meta.url);

test("a caller with a token gets responses while silent and malformed connections are open", async () => {
  const { quick } = connectionsSuite.counts;
  const { failures, figures, cases } = await connectionsSuite.run({ seed: 1, first: 0, count: quick, log });
  console.log(figures);
  expect(failures).toEqual([]);
  expect(cases).toBe(quick);
  expect(figures["requests with a valid token that got no response"]).toBe(0);
  expect(Number(figures["requests with a valid token"])).toBeGreaterThan(300);
  // The attack had an effect: the server had to accept or refuse hundreds of connections.
  expect(Number(figures["maximum number of unauthenticated connections"])).toBeGreaterThan(200);
});

test("a server with only a total limit locks the caller out, which the suite detects", async () => {
  const { failures, figures } = await attack({ seed: 1, first: 0, count: 300, log, server: UNLIMITED });
  expect(failures.map(({ problem }) => problem).join()).toContain("requests with a token were not answered");
  expect(Number(figures["requests with a valid token that got no response"])).toBeGreaterThan(0);
});

test("a seed always creates the same cases, with all kinds and many addresses", () => {
  const cases = Array.from({ length: 1_000 }, (_, index) => behaviourOf(7, index));
  expect(behaviourOf(7, 123)).toEqual(cases[123]);
  expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(KIND_NAMES));
  expect(new Set(cases.map(({ address }) => address)).size).toBeGreaterThan(150);
});
