import { httpTransportContract, localTransportContract, runContract, transportContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { wrongEnvironments, wrongStarting } from "./wrong-commands.ts";
import { wrongConversing, wrongEnding, wrongFailing } from "./wrong-endings.ts";
import { wrongCredentials, wrongInput, wrongParameters, wrongSettings } from "./wrong-input.ts";
import { wrongArtifacts, wrongFilling, wrongMasking, wrongReading } from "./wrong-results.ts";
import { wrongRequests, wrongUploads } from "./wrong-services.ts";
import type { WrongTransport } from "./wrong-transport.ts";

const WRONG: readonly WrongTransport[] = [
  ...wrongInput,
  ...wrongParameters,
  ...wrongSettings,
  ...wrongCredentials,
  ...wrongMasking,
  ...wrongReading,
  ...wrongFilling,
  ...wrongArtifacts,
  ...wrongFailing,
  ...wrongEnding,
  ...wrongConversing,
  ...wrongStarting,
  ...wrongEnvironments,
  ...wrongRequests,
  ...wrongUploads,
];

const CASES = [...transportContract, ...localTransportContract, ...httpTransportContract];
/** A wrong transport may hang. The tests wait no longer than this. */
const CASE_MS = 6_000;
const TEST_MS = 300_000;

// Most of the time of a fault is waiting.
describe.concurrent("the contract of transports finds each wrong one", () => {
  test.for(WRONG)("detects: $fault", { timeout: TEST_MS }, async ({ noticedBy, factory }, { expect }) => {
    const cases = CASES.filter(({ id }) => noticedBy.includes(id));
    expect(cases.map(({ id }) => id).sort()).toEqual([...noticedBy].sort());
    const results = await runContract(cases, factory, { timeoutMs: CASE_MS });
    expect(results.map(({ id, status, problem }) => (status === "failed" ? id : { id, status, problem }))).toEqual(
      cases.map(({ id }) => id),
    );
  });

  test("every case notices a wrong transport", ({ expect }) => {
    const noticing = new Set(WRONG.flatMap(({ noticedBy }) => noticedBy));
    expect(CASES.map(({ id }) => id).filter((id) => !noticing.has(id))).toEqual([]);
  });
});
