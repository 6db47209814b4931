import { environmentContract, runContract } from "@switchyard/testkit";
import { describe, type TestContext, test } from "vitest";
import { wrongResults, wrongStarts, wrongVariables } from "./wrong-commands.ts";
import { wrongLinks, wrongMoments, wrongPaths } from "./wrong-confining.ts";
import { wrongEndings, wrongLifetimes } from "./wrong-endings.ts";
import type { WrongEnvironment } from "./wrong-environment.ts";
import { wrongReading } from "./wrong-reading.ts";
import { wrongSearching } from "./wrong-searching.ts";
import { wrongSpawning } from "./wrong-spawning.ts";
import { wrongWriting } from "./wrong-writing.ts";

const WRONG: readonly WrongEnvironment[] = [
  ...wrongReading,
  ...wrongWriting,
  ...wrongPaths,
  ...wrongLinks,
  ...wrongStarts,
  ...wrongResults,
  ...wrongVariables,
  ...wrongEndings,
  ...wrongLifetimes,
  ...wrongSpawning.filter(({ noticedBy }) => !isRace(noticedBy)),
  ...wrongSearching,
];

/** Wrong environments whose fault appears only in a race. They are tested one at a time, without other load. */
const RACES: readonly WrongEnvironment[] = [
  ...wrongMoments,
  ...wrongSpawning.filter(({ noticedBy }) => isRace(noticedBy)),
];

function isRace(noticedBy: readonly string[]): boolean {
  return noticedBy.includes("spawn-back-pressure");
}

/** Time limit of a case, in milliseconds, because a wrong environment may hang. */
const CASE_MS = 6_000;
const TEST_MS = 300_000;
const PREFIX = "environment/";

async function expectNoticed({ noticedBy, factory }: WrongEnvironment, { expect, skip }: TestContext): Promise<void> {
  skip(process.platform !== "linux", "the faults need Linux");
  const cases = environmentContract.filter(({ id }) => noticedBy.includes(id.slice(PREFIX.length)));
  expect(cases.map(({ id }) => id).sort()).toEqual(noticedBy.map((id) => `${PREFIX}${id}`).sort());
  const results = await runContract(cases, factory, { timeoutMs: CASE_MS });
  const mayMakeDevices = process.getuid?.() === 0;
  skip(!mayMakeDevices && noticedBy.includes("devices"), "only root can create devices");
  expect(results.map(({ id, status, problem }) => (status === "failed" ? id : { id, status, problem }))).toEqual(
    cases.map(({ id }) => id),
  );
}

// Concurrent, because most of the time of a case is spent waiting.
describe.concurrent("the environment contract detects each faulty environment [loop-4.3-5]", () => {
  test.for(WRONG)("detects: $fault", { timeout: TEST_MS }, expectNoticed);
});

describe("the environment contract detects each environment with a race condition [loop-4.3-5]", () => {
  test.for(RACES)("detects: $fault", { timeout: TEST_MS }, expectNoticed);

  test("every case detects a faulty environment and has a unique id", ({ expect }) => {
    const noticing = new Set([...WRONG, ...RACES].flatMap(({ noticedBy }) => noticedBy));
    const ids = environmentContract.map(({ id }) => id.slice(PREFIX.length));
    expect(ids.filter((id) => !noticing.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
