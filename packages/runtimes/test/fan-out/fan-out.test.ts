import type { TaskLease, WorkQueue } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import {
  type FanOutPlan,
  type FanOutProgress,
  type FanOutRecord,
  type FanOutRun,
  parseFanOutConfig,
  parseFanOutPlan,
  parseFanOutRecords,
  planFanOut,
  planFindingPackets,
  RECORD_STATUS_OF_OUTCOME,
  reconcileFanOut,
  runFanOut,
  SCHEMA_IDS,
  workOnQueue,
} from "../../src/index.ts";

const CONFIG = {
  orchestrator: { run_id: "run 1", lane: "nightly" },
  items: [
    { id: "a1", kind: "syntax", finding_id: "f1" },
    { id: "b1", kind: "style", text: "{{group.key}}" },
    { id: "a2", kind: "syntax", finding_id: "f2" },
  ],
  task_request_template: {
    executor: { backend: "acme" },
    instructions: "Mend {{group.item_count}} of {{ group.key }} in {{orchestrator.lane}} ({{other}})",
    inputs: { items: "{{group.items}}", ids: "{{group.item_ids}}", findings: "{{group.finding_ids}}" },
  },
  runtime_execution: { kind: "bundle" },
};

function plan(count: number): FanOutPlan {
  return planFanOut({ items: Array.from({ length: count }, (_, index) => ({ id: `t${index + 1}` })) });
}

function succeeded(): Promise<unknown> {
  return Promise.resolve({ outcome: { status: "succeeded" } });
}

function codeOf(call: () => unknown): string {
  try {
    call();
    return "nothing";
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
}

test("items are grouped in order, and each group is a task request [runtime-fanout-8] [runtime-fanout-13]", () => {
  const planned = planFanOut(parseFanOutConfig(CONFIG));
  expect(planned).toMatchObject({
    schema: SCHEMA_IDS.fanout_plan,
    orchestrator: CONFIG.orchestrator,
    summary: { item_count: 3, group_count: 2, task_count: 2 },
    groups: [
      { key: "syntax", index: 0, item_count: 2 },
      { key: "style", index: 1, item_count: 1 },
    ],
    reconciliation: { schema: SCHEMA_IDS.fanout_reconciliation, task_count: 2, record_count: 0, failed_task_ids: [] },
  });
  const [syntax, style] = planned.task_requests;
  expect(syntax).toEqual({
    schema: SCHEMA_IDS.task_request,
    id: "run-1-syntax",
    task_id: "run-1-syntax",
    group_key: "syntax",
    executor: { backend: "acme" },
    instructions: "Mend 2 of syntax in nightly ({{other}})",
    inputs: { items: [CONFIG.items[0], CONFIG.items[2]], ids: ["a1", "a2"], findings: ["f1", "f2"] },
    orchestrator: { run_id: "run 1", lane: "nightly", group_index: 0 },
    runtime_execution: { kind: "bundle" },
  });
  // Values of items are data: tokens in them are not replaced.
  expect(style?.["inputs"]).toMatchObject({ items: [{ text: "{{group.key}}" }] });
  expect(parseFanOutPlan(JSON.parse(JSON.stringify(planned)))).toEqual(planned);
});

test("a template may use a task's number in its group", () => {
  const both = planFanOut({
    ...CONFIG,
    task_request_template: { task_id: "t{{group.index}}", id: "i{{group.index}}" },
  });
  expect(both.task_requests.map(({ id, task_id }) => [id, task_id])).toEqual([
    ["i0", "i0"],
    ["i1", "i1"],
  ]);
  const numbered = planFanOut({ ...CONFIG, task_request_template: { task_id: "{{group.index}}" } });
  expect(numbered.task_requests.map(({ id, task_id }) => [id, task_id])).toEqual([
    ["0", "0"],
    ["1", "1"],
  ]);
});

test("the key is read from the given path, else from the default fields, else the default is used", () => {
  const keys = (config: object): string[] => planFanOut(parseFanOutConfig(config)).groups.map(({ key }) => key);
  const items = [{ group_key: "g", kind: "k", at: { place: 7 } }, { groupKey: "h" }, { kind: "k" }, { id: 3 }, "text"];
  expect(keys({ items })).toEqual(["g", "h", "k", "3", "default"]);
  expect(keys({ items, group_by: "kind" })).toEqual(["k", "h", "3", "default"]);
  expect(keys({ items, group_key_path: "at.place" })).toEqual(["7", "h", "k", "3", "default"]);
  expect(keys({ groups: [{ key: "own", items: [1, 2] }, { group_key: "g" }, { id: 4 }, {}] })).toEqual([
    ...["own", "g", "4", "group-4"],
  ]);
  expect(keys({ groups: [], items: [{ kind: " k " }] })).toEqual(["k"]);
});

test("duplicate task ids and invalid plans are rejected [runtime-fanout-7]", () => {
  const groups = [
    { key: "a/b", items: [] },
    { key: "a?b", items: [] },
  ];
  expect(codeOf(() => planFanOut({ groups }))).toBe("input.invalid");
  expect(codeOf(() => planFanOut({ groups, task_request_template: { id: " " } }))).toBe("input.invalid");
  expect(planFanOut({ groups, task_request_template: { id: "x:{{group.key}}" } }).task_requests[0]?.id).toBe("x:a/b");
  for (const data of [null, [], { items: 1 }]) expect(codeOf(() => parseFanOutConfig(data))).toBe("input.invalid");
  for (const data of [null, {}, { ...plan(1), task_requests: [{}] }]) {
    expect(codeOf(() => parseFanOutPlan(data))).toBe("input.invalid");
  }
});

test.each([
  [parseFanOutConfig, { items: "x", orchestrator: [] }, "orchestrator must be a map; items must be a list"],
  [
    parseFanOutConfig,
    {
      groups: [
        { key: 3, items: [] },
        { key: "a", items: {} },
      ],
    },
    "groups[0].key must be a text; groups[1].items must be a list",
  ],
  [parseFanOutPlan, { ...plan(1), task_requests: {} }, "task_requests must be a list"],
  [parseFanOutRecords, "text", "the document must be a map"],
  [parseFanOutRecords, [{ status: "completed" }], "records[0]: it has no id"],
  [planFindingPackets, { packets: { id: "p" } }, "packets must be a list"],
])("a field of a wrong type is distinguished from a missing one", (read, data, problem) => {
  expect(() => read(data)).toThrow(problem);
});

test("each outcome status maps to its record status, and is preserved in the outcome [runtime-fanout-2] [runtime-fanout-3] [runtime-fanout-5] [runtime-fanout-6]", async () => {
  const statuses = Object.keys(RECORD_STATUS_OF_OUTCOME);
  const planned = planFanOut({ items: statuses.map((id) => ({ id })) });
  const run = await runFanOut(planned, {
    execute: async ({ group_key }) => ({ outcome: { status: group_key, task_id: "t" } }),
  });
  expect(Object.fromEntries(run.records.map(({ group_key, status }) => [group_key, status]))).toEqual(
    RECORD_STATUS_OF_OUTCOME,
  );
  expect(run.outcomes).toEqual(statuses.map((status) => ({ status, task_id: "t" })));
  expect(run.reconciliation).toMatchObject({ task_count: 9, record_count: 9, success_count: 2, failure_count: 7 });
  expect([run.schema, run.status]).toEqual([SCHEMA_IDS.fanout_run, "failed"]);
  expect(reconcileFanOut(planned, run.records).schema).toBe(SCHEMA_IDS.fanout_result);
});

test("an execution may return a custom status, success, nothing, a value that is not an object, or an error [runtime-fanout-4] [runtime-fanout-10]", async () => {
  const executions: Record<string, () => Promise<unknown>> = {
    known: async () => ({ status: "completed", outcome: { status: "failed" } }),
    word: async () => ({ status: "accepted" }),
    success: async () => ({ success: true }),
    nothing: async () => undefined,
    text: async () => "succeeded",
    thrown: async () => {
      throw new Error("no disk");
    },
  };
  const run = await runFanOut(planFanOut({ items: Object.keys(executions).map((id) => ({ id })) }), {
    execute: async ({ group_key }) => executions[group_key]?.(),
  });
  expect(run.records.map(({ status }) => status)).toEqual([
    ...["completed", "completed", "completed"],
    ...["missing_record", "failed", "failed"],
  ]);
  expect(run.records.at(-1)?.error_message).toBe("no disk");
  expect(run.reconciliation.failed_task_ids).toEqual(["fanout-nothing", "fanout-text", "fanout-thrown"]);
});

test("tasks run concurrently: three by default, at most sixteen [runtime-fanout-11]", async () => {
  for (const [requested, expected] of [
    [undefined, 3],
    [0, 3],
    [Number.NaN, 3],
    [5, 5],
    [99, 16],
  ] as const) {
    let [running, most] = [0, 0];
    const execute = async (): Promise<unknown> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => setImmediate(resolve));
      running -= 1;
      return succeeded();
    };
    const run = await runFanOut(plan(40), { execute, concurrency: requested });
    expect([run.status, most]).toEqual(["completed", expected]);
  }
});

test("an interrupted run resumes without repeating stored tasks [runtime-fanout-12]", async () => {
  const planned = plan(9);
  for (let killed = 0; killed <= 10; killed += 1) {
    const done: string[] = [];
    let stored: FanOutRun | undefined;
    const execute = async ({ id }: { id: string }): Promise<unknown> => {
      done.push(id);
      return succeeded();
    };
    const stop = new AbortController();
    const save = async (run: FanOutRun): Promise<void> => {
      stored = JSON.parse(JSON.stringify(run));
      if (run.records.length >= killed) stop.abort();
    };
    const first = await runFanOut(planned, { execute, save, signal: stop.signal, concurrency: 2 });
    const before = new Set((stored?.records ?? []).map(({ id }) => id));
    if (stop.signal.aborted && before.size < 9) {
      expect(first.status).toBe("incomplete");
      expect(first).toHaveProperty("current_groups");
    }
    const repeated: string[] = [];
    const second = await runFanOut(planned, {
      execute: async ({ id }) => {
        repeated.push(id);
        return succeeded();
      },
      records: parseFanOutRecords(stored),
    });
    expect(second.status).toBe("completed");
    expect(second).not.toHaveProperty("current_groups");
    expect(repeated.filter((id) => before.has(id))).toEqual([]);
    expect(new Set([...repeated, ...before]).size).toBe(9);
  }
});

test("progress is reported when a task starts, and when its record is stored [runtime-fanout-16]", async () => {
  const reported: FanOutProgress[] = [];
  const progressLog: FanOutProgress[] = [];
  let storedCount = 0;
  await runFanOut(plan(4), {
    execute: succeeded,
    save: async ({ records }) => {
      storedCount = records.length;
    },
    onProgress: (progress) => {
      reported.push(progress);
      if (progress.status === "started") return;
      progressLog.push(progress);
      expect(progressLog.length).toBeLessThanOrEqual(storedCount);
    },
    concurrency: 1,
  });
  expect(progressLog[1]).toEqual({
    schema: SCHEMA_IDS.fanout_progress,
    ...{ status: "completed", id: "fanout-t2", group_key: "t2", group_index: 2, group_count: 4 },
    outcome_kind: "succeeded",
  });
  expect(reported.map(({ status }) => status)).toEqual(Array(4).fill(["started", "completed"]).flat());
  expect(reported[0]).toEqual({
    schema: SCHEMA_IDS.fanout_progress,
    ...{ status: "started", id: "fanout-t1", group_key: "t1", group_index: 1, group_count: 4, outcome_kind: "" },
  });
});

test("a run that cannot be stored ends with that error, and starts no more tasks", async () => {
  let executed = 0;
  const running = runFanOut(plan(20), {
    execute: () => {
      executed += 1;
      return succeeded();
    },
    save: async ({ records }) => {
      if (records.length > 0) throw new Error("the disk is full");
    },
  });
  await expect(running).rejects.toThrow("the disk is full");
  expect(executed).toBeLessThan(8);
});

test("records are reconciled with the plan: one per task, in order, missing ones named [runtime-fanout-4] [runtime-fanout-9] [runtime-fanout-15]", () => {
  const run = reconcileFanOut(plan(3), [
    { id: "fanout-t3", group_key: "t3", status: "completed", outcome: { status: "no_op" } },
    { id: "fanout-t1", group_key: "t1", status: "completed" },
    { id: "fanout-t1", group_key: "t1", status: "failed" },
    { id: "fanout-t9", group_key: "t9", status: "completed" },
  ]);
  expect(run.records.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "fanout-t1 completed",
    "fanout-t2 missing_record",
    "fanout-t3 completed",
  ]);
  expect(run.reconciliation).toEqual({
    schema: SCHEMA_IDS.fanout_reconciliation,
    ...{ group_count: 3, task_count: 3, record_count: 2, success_count: 2, failure_count: 1, outcome_count: 1 },
    failed_task_ids: ["fanout-t2"],
  });
  expect(run.status).toBe("failed");
});

test("a worker completes executed tasks, releases failed ones, and abandons lost leases", async () => {
  const stop = new AbortController();
  const calls: string[] = [];
  const lease = (id: string): TaskLease => ({
    task: { group: "g", id, body: id },
    attempt: 1,
    signal: new AbortController().signal,
    finish: async (body) => {
      if (id === "lost") throw new EngineError("queue.lease_lost", { taskId: id, attempt: 1 });
      calls.push(`${id} finished ${JSON.stringify(body)}`);
    },
    release: async (problem) => void calls.push(`${id} given back: ${problem}`),
  });
  const leases = ["good", "lost", "bad", "stopped"].map(lease);
  const queue: Pick<WorkQueue, "take"> = { take: async () => leases.shift() };
  const ends: string[] = [];
  await workOnQueue(queue, {
    execute: async (body) => {
      if (body === "bad") throw new Error("no net");
      if (body === "stopped") stop.abort();
      return { done: body };
    },
    onEnd: ({ id, kind }) => void ends.push(`${id} ${kind}`),
    signal: stop.signal,
  });
  expect(calls).toEqual([
    'good finished {"done":"good"}',
    "bad given back: no net",
    "stopped given back: its worker was stopped",
  ]);
  expect(ends).toEqual(["good finished", "lost lost", "bad given_back", "stopped given_back"]);
});

test("with single-record storage, the full run is written periodically, and no task is repeated", async () => {
  const long = plan(600);
  const stored: FanOutRecord[] = [];
  const saved: FanOutRun[] = [];
  const stop = new AbortController();
  const executed: string[] = [];
  const execute = async ({ id }: { id: string }) => {
    executed.push(id);
    return { outcome: { status: "succeeded" } };
  };
  const options = {
    ...{ execute, concurrency: 1 },
    save: async (run: FanOutRun) => void saved.push(run),
    keep: async (record: FanOutRecord) => {
      stored.push(record);
      if (stored.length === 400) stop.abort();
    },
  };
  await runFanOut(long, { ...options, signal: stop.signal });
  // The run is saved only when it has grown by a tenth.
  expect(saved.length).toBeLessThan(70);
  expect((await runFanOut(long, { ...options, records: stored })).status).toBe("completed");
  expect([executed.length, new Set(executed).size]).toEqual([600, 600]);
});
