import assert from "node:assert/strict";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import {
  boardContract,
  CONTRACT_NAMES,
  type ContractCase,
  defineContracts,
  plainBoard,
  recordingHost,
  runContract,
  verifyContracts,
} from "../index.ts";
import { applies, defineContract } from "./define-contract.ts";

interface Number7 {
  readonly value: number;
  readonly dispose?: (() => Promise<void>) | undefined;
}

/** Creates a contract with one case. */
function contractOf(check: (subject: Number7) => Promise<void>): readonly ContractCase<() => Number7>[] {
  const body = { id: "seven/is", requirement: ["D1", "D2"], title: "It is seven", check };
  return defineContract(async (factory: () => Number7) => factory(), [body]);
}

const seven = (): Number7 => ({ value: 7 });

test("a passing case is passed, a failing case is failed with its problem, and the others continue", async () => {
  const [is] = contractOf(async ({ value }) => assert.equal(value, 7));
  const cases = [is, is].filter((one) => one !== undefined);
  expect(await runContract(cases, seven)).toMatchObject([{ status: "passed" }, { status: "passed" }]);
  const [first, second] = await runContract(cases, () => ({ value: 8 }));
  expect(first).toMatchObject({
    id: "seven/is",
    requirement: ["D1", "D2"],
    title: "It is seven",
    status: "failed",
    problem: "found 8, expected 7",
  });
  expect(first?.error).toBeInstanceOf(assert.AssertionError);
  expect(second?.status).toBe("failed");
});

test("a problem is one line, whatever was thrown", async () => {
  const problems = [
    async () => assert.equal({ n: 1 }, undefined, "the state\nof it"),
    async () => assert.ok(false, "it is not there"),
    async () => assert.equal(true, false, "it is still open"),
    async () => {
      throw new EngineError("bus.closed");
    },
    async () => assert.deepEqual(["x".repeat(5_000)], []),
  ];
  const results = await Promise.all(problems.map((check) => runContract(contractOf(check), seven)));
  const reportedProblems = results.map(([result]) => result?.problem ?? "");
  expect(reportedProblems.slice(0, 4)).toEqual([
    "the state: found { n: 1 }, expected undefined",
    "it is not there",
    "it is still open",
    "The event bus is closed.",
  ]);
  expect(reportedProblems[4]?.length).toBeLessThan(600);
});

test("a hanging case fails at its time limit, as does a hanging disposal of its subject", async () => {
  const hanging = contractOf(() => new Promise(() => {}));
  expect(await runContract(hanging, seven, { timeoutMs: 20 })).toMatchObject([
    { status: "failed", problem: "The case did not end within 20 ms." },
  ]);
  const stuck = (): Number7 => ({ value: 7, dispose: () => new Promise(() => {}) });
  const [is] = contractOf(async ({ value }) => assert.equal(value, 7));
  const one = is === undefined ? [] : [is];
  expect(await runContract(one, stuck, { timeoutMs: 20 })).toMatchObject([
    { problem: "Releasing the implementation did not end within 20 ms." },
  ]);
  // The error of the case takes precedence over an error of releasing the implementation.
  expect(await runContract(one, () => ({ ...stuck(), value: 8 }), { timeoutMs: 20 })).toMatchObject([
    { problem: "found 8, expected 7" },
  ]);
});

test("a subject is disposed of however its case ends", async () => {
  let open = 0;
  const counted = (): Number7 => {
    open += 1;
    return {
      value: 7,
      dispose: async () => {
        open -= 1;
      },
    };
  };
  const checks = [async () => {}, () => Promise.reject(new Error("broken")), async () => applies(false, "no matter")];
  for (const check of checks) await runContract(contractOf(check), counted);
  expect(open).toBe(0);
});

test("an inapplicable case is skipped with its reason, and passes if run directly", async () => {
  const cases = contractOf(async ({ value }) => applies(value > 7, "it is too small"));
  expect(await runContract(cases, seven)).toMatchObject([{ status: "skipped", problem: "it is too small" }]);
  await Promise.all(cases.map((one) => one.run(seven)));
});

test("cases not started when the signal fires are skipped", async () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const results = await runContract(boardContract, plainBoard, {
    signal: controller.signal,
    onResult: ({ id }) => {
      seen.push(id);
      if (seen.length === 2) controller.abort();
    },
  });
  expect([results.length, seen.length]).toEqual([2, 2]);
});

test("the contracts of a package are verified by name, in a fixed order", async () => {
  const subjects = defineContracts({ host: () => recordingHost(), board: plainBoard });
  const reports = await verifyContracts(subjects);
  expect(reports.map(({ name }) => name)).toEqual(["host", "board"]);
  expect(reports.flatMap(({ results }) => results).filter(({ status }) => status === "failed")).toEqual([]);
  const [only, ...others] = await verifyContracts(subjects, { names: ["board", "engine"] });
  expect([only?.name, only?.results.length, others]).toEqual(["board", boardContract.length, []]);
  expect(new Set(CONTRACT_NAMES).size).toBe(15);
});
