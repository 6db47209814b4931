import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import {
  type FanOutRun,
  parseFanOutConfig,
  parseFanOutPlan,
  parseFanOutRecords,
  planFanOut,
  planFindingPackets,
  reconcileFanOut,
  runFanOut,
  SCHEMA_IDS,
} from "../../src/index.ts";

const TWO = planFanOut({ items: [{ id: "t1" }, { id: "t2" }] });

async function succeeded(): Promise<unknown> {
  return { outcome: { status: "succeeded" } };
}

test("findings of packets are grouped by their policy and planned like items [runtime-fanout-14]", () => {
  const packets = [
    {
      id: "p1",
      findings: [
        { id: "f1", type: "syntax", severity: "error" },
        { id: "f2", type: "style" },
      ],
    },
    { id: "p2", diagnostics: [{ id: "f3", type: "syntax", severity: "error" }] },
    { finding: { note: "odd" } },
  ];
  const planned = planFindingPackets({ packets, orchestrator: { run_id: "r" } });
  expect(planned.summary).toMatchObject({
    packet_count: 3,
    finding_count: 4,
    item_count: 4,
    grouping: { strategy: "paths", paths: ["finding.type", "finding.severity"] },
    config_schema: SCHEMA_IDS.finding_packet_config,
  });
  expect(planned.task_requests.map(({ id }) => id)).toEqual([
    "finding-packet-syntax:error",
    "finding-packet-style",
    "finding-packet-default",
  ]);
  expect(planned.task_requests[0]).toMatchObject({
    item_ids: ["p1:f1", "p2:f3"],
    packet_ids: ["p1", "p2"],
    finding_count: 2,
    inputs: {
      findings: [
        { id: "p1:f1", finding_id: "f1" },
        { id: "p2:f3", finding_id: "f3" },
      ],
    },
  });
  expect(planned.task_requests[2]?.["packet_ids"]).toEqual(["packet-3"]);
  const byPacket = planFindingPackets({ packets, policy: { group_by: ["packet.id"] } });
  expect(byPacket.groups.map(({ key }) => key)).toEqual(["p1", "p2", "default"]);
  expect(byPacket.task_requests[0]?.["inputs"]).toMatchObject({ findings: [{ packet: packets[0] }, {}] });
  const bare = planFindingPackets({ packets, policy: { include_packet: false } });
  expect(JSON.stringify(bare.task_requests)).not.toContain('"packet":');
  expect(() => planFindingPackets({ packets: 1 })).toThrow(EngineError);
});

const PACKETS = [
  {
    id: "p1",
    source: "lint",
    findings: [
      { type: "syntax", severity: "error" },
      { rule_id: "r", severity: "warning" },
    ],
  },
  { packet_id: "p2", source: "static", diagnostics: [{ code: "c7", severity: "error", file: "a.js" }] },
];

test("a policy template creates group keys, with either spelling", () => {
  const keysOf = (policy: object) => planFindingPackets({ packets: PACKETS, policy }).groups.map(({ key }) => key);
  const expected = ["lint/error", "lint/warning", "static/error"];
  expect(keysOf({ group_key_template: "{{packet.source}}/{{finding.severity}}" })).toEqual(expected);
  expect(keysOf({ groupKeyTemplate: "{{ packet.source }}/{{ finding.severity }}" })).toEqual(expected);
  expect(keysOf({ group_key_template: "{{finding.none}}", fallback_group_key: "rest" })).toEqual(["rest"]);
  expect(keysOf({ group_by: ["finding.none"], fallback_group_key: "rest" })).toEqual(["rest"]);
  expect(keysOf({ groupBy: ["packet.source"] })).toEqual(["lint", "static"]);
  const planned = planFindingPackets({
    finding_packets: PACKETS,
    finding_policy: { group_key_template: "{{packet.source}}" },
  });
  expect(planned.groups.map(({ key }) => key)).toEqual(["lint", "static"]);
  expect(planned.summary).toMatchObject({ grouping: { strategy: "template" } });
});

test("a finding without an id is named by its rule or its position, and described by its default fields", () => {
  const planned = planFindingPackets({ packets: PACKETS, policy: { group_by: ["none"] } });
  expect(planned.task_requests[0]?.["item_ids"]).toEqual(["p1:finding-1", "p1:r", "p2:c7"]);
  expect(planned.task_requests[0]?.["inputs"]).toMatchObject({
    findings: [{ index: 0, packet_index: 0 }, { type: "r" }, { packet_id: "p2", path: "a.js", packet_index: 1 }],
  });
});

test("a list in a template is joined with commas, other data is JSON, and paths can index lists", () => {
  const template = {
    instructions: "Fix {{group.item_ids}}: {{group.items.1.at}}, first {{group.items.0.id}}",
    inputs: { ids: "{{group.item_ids}}", first: "{{group.items.0}}" },
  };
  const items = [{ id: "a1", kind: "k" }, { key: "a2", kind: "k", at: { line: 3 } }, { kind: "k" }];
  const [task] = planFanOut({ items, group_by: "kind", task_request_template: template }).task_requests;
  expect(task?.["instructions"]).toBe('Fix a1, a2, 3: {"line":3}, first a1');
  expect(task?.["inputs"]).toEqual({ ids: ["a1", "a2", "3"], first: items[0] });
});

test("a template may set the group key and orchestrator fields, and the runtime execution is a template too", () => {
  const planned = planFanOut({
    items: [{ id: "a / b" }],
    orchestrator: { run_id: "r" },
    task_request_template: { group_key: "g-{{group.key}}", orchestrator: { lane: "{{group.index}}" } },
    runtime_execution: { kind: "bundle", task: { group: "{{group.key}}" } },
  });
  expect(planned.task_requests[0]).toMatchObject({
    ...{ id: "r-a-b", group_key: "g-a / b", orchestrator: { run_id: "r", group_index: 0, lane: 0 } },
    runtime_execution: { kind: "bundle", task: { group: "a / b" } },
  });
});

test("execution settings of a configuration are part of the plan", async () => {
  const config = {
    ...{ items: [{ id: "a" }, { id: "b" }], concurrency: 1, success_statuses: ["needs_review"] },
    ...{
      outcome_path: "answer",
      include_summary: false,
      base_run: { lane: "nightly" },
      result_schema: "acme/result/v1",
    },
  };
  const planned = parseFanOutPlan(JSON.parse(JSON.stringify(planFanOut(parseFanOutConfig(config)))));
  let [running, most] = [0, 0];
  const run = await runFanOut(planned, {
    execute: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => setImmediate(resolve));
      running -= 1;
      return { answer: { status: "needs_review" } };
    },
  });
  expect([most, run.status, run["lane"], run.summary, run.outcomes.length]).toEqual([
    ...[1, "completed", "nightly", undefined, 2],
  ]);
  const records = parseFanOutRecords([
    { id: "fanout-a", status: "needs_review" },
    { task_id: "fanout-b", status: "splendid" },
  ]);
  expect(reconcileFanOut(planned, records)).toMatchObject({
    ...{ schema: "acme/result/v1", status: "failed" },
    records: [
      { id: "fanout-a", status: "completed" },
      { id: "fanout-b", status: "failed", native_status: "splendid" },
    ],
  });
});

test("while tasks run, the run lists them with their groups", async () => {
  const saved: FanOutRun[] = [];
  await runFanOut(TWO, { execute: succeeded, save: async (run) => void saved.push(run), concurrency: 1 });
  expect(saved[0]).toMatchObject({ current_group: null, current_groups: [], schema: SCHEMA_IDS.fanout_run });
  expect(saved.at(-1)).not.toHaveProperty("current_group");
  const stop = new AbortController();
  const cut = await runFanOut(TWO, {
    signal: stop.signal,
    concurrency: 2,
    execute: async () => {
      stop.abort();
      return succeeded();
    },
  });
  expect(cut.status).toBe("incomplete");
});
