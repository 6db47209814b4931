import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  FAILURE_CLASSIFICATIONS,
  OUTCOME_STATUSES,
  RECORD_STATUS_OF_OUTCOME,
  renderTaskContract,
  SCHEMA_IDS,
} from "../index.ts";

const FILE = new URL("../../contract/agent-task-core-contract.json", import.meta.url);

/** Returns every object in a document, at any depth. */
function mapsOf(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(mapsOf);
  return Array.isArray(value) ? inner : [value, ...inner];
}

test("the committed contract equals the generated one [runtime-fixture-1]", async () => {
  expect(await readFile(FILE, "utf8")).toBe(renderTaskContract());
});

test("the contract has sorted keys, two spaces and a final newline [runtime-fixture-3]", async () => {
  const text = await readFile(FILE, "utf8");
  const parsed: unknown = JSON.parse(text);
  expect(`${JSON.stringify(parsed, undefined, 2)}\n`).toBe(text);
  for (const map of mapsOf(parsed)) expect(Object.keys(map)).toEqual(Object.keys(map).sort());
});

test("the contract contains the ids, statuses and bridge that the code uses [runtime-fixture-2, runtime-adapter-1, runtime-outcome-3]", async () => {
  const contract = z
    .object({
      schemas: z.record(z.string(), z.string()),
      enums: z.object({ outcome_statuses: z.array(z.string()), failure_classifications: z.array(z.string()) }),
      orchestration: z.object({ record_status_of_outcome: z.record(z.string(), z.string()) }),
    })
    .parse(JSON.parse(await readFile(FILE, "utf8")));
  expect(contract.schemas).toEqual(SCHEMA_IDS);
  expect(contract.enums.outcome_statuses).toEqual([...OUTCOME_STATUSES]);
  expect(contract.enums.failure_classifications).toEqual([...FAILURE_CLASSIFICATIONS]);
  expect(contract.orchestration.record_status_of_outcome).toEqual(RECORD_STATUS_OF_OUTCOME);
  expect(OUTCOME_STATUSES).toEqual([
    ...["succeeded", "no_op", "unable_to_remediate", "provider_error"],
    ...["timeout", "failed", "follow_up_issue", "cancelled"],
  ]);
});

test("the six ids of fan-out are those of the contract [runtime-fanout-1]", () => {
  expect([
    SCHEMA_IDS.fanout_config,
    SCHEMA_IDS.fanout_plan,
    SCHEMA_IDS.fanout_run,
    SCHEMA_IDS.fanout_result,
    SCHEMA_IDS.fanout_reconciliation,
    SCHEMA_IDS.finding_packet_config,
  ]).toEqual([
    "homeboy/generic-fanout-reconcile-config/v1",
    "homeboy/fanout-reconcile-plan/v1",
    "homeboy/fanout-reconcile-run/v1",
    "homeboy/generic-fanout-reconcile-result/v1",
    "homeboy/generic-fanout-reconcile-reconciliation/v1",
    "homeboy/generic-finding-packet-fanout-config/v1",
  ]);
});

test("the bridge maps two statuses to completed and all others to failed [runtime-fanout-2, runtime-fanout-3]", () => {
  const completed = OUTCOME_STATUSES.filter((status) => RECORD_STATUS_OF_OUTCOME[status] === "completed");
  expect(completed).toEqual(["succeeded", "no_op"]);
  const others = OUTCOME_STATUSES.filter((status) => !completed.includes(status));
  expect(others).toHaveLength(6);
  for (const status of others) expect(RECORD_STATUS_OF_OUTCOME[status]).toBe("failed");
});
