import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { openNatsWorkQueue } from "@switchyard/stores/nats";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const PATIENCE_MS = 300_000;
/** Simulated runtime: records the start and end of each task in a file, and takes as long as the task specifies. */
const PROGRAM = `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
const { task_id, inputs } = JSON.parse(readFileSync(0, "utf8"));
appendFileSync(inputs.ledger, "begin " + task_id + "\\n");
const timer = setInterval(() => {
  if (inputs.gate !== undefined && !existsSync(inputs.gate)) return;
  clearInterval(timer);
  appendFileSync(inputs.ledger, "end " + task_id + "\\n");
  process.stdout.write(JSON.stringify({
    schema: "homeboy/agent-task-outcome/v1", task_id, status: inputs.status ?? "succeeded", summary: "done",
    diagnostics: [], artifacts: [], metadata: {},
  }));
}, 5);
`;
const MANIFEST = {
  schema: "homeboy/agent-runtime-manifest/v1",
  id: "ledger",
  agent_task_executors: [{ id: "ledger.write", backend: "ledger", command: "node {{runtime_path}}/execute-task.mjs" }],
};

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly ledger: string;
  lines(): Promise<string[]>;
}

/** Creates a user with a runtime package that records its tasks. */
async function makePlace(): Promise<Place> {
  const home = await makeFolder();
  const runtime = join(home, ".config/switchyard/agent-runtimes/ledger");
  await mkdir(runtime, { recursive: true });
  await writeFile(join(runtime, "ledger.json"), JSON.stringify(MANIFEST));
  await writeFile(join(runtime, "execute-task.mjs"), PROGRAM);
  const folder = await makeFolder();
  const ledger = join(folder, "ledger.txt");
  await writeFile(ledger, "");
  const lines = async (): Promise<string[]> => (await readFile(ledger, "utf8")).split("\n").slice(0, -1);
  return { folder, env: { HOME: home }, ledger, lines };
}

function configOf({ folder, ledger }: Place, count: number, more: object = {}): string {
  return JSON.stringify({
    orchestrator: { run_id: "night" },
    items: Array.from({ length: count }, (_, index) => ({ id: `t${index + 1}` })),
    task_request_template: {
      ...{ executor: { backend: "ledger" }, instructions: "Note {{group.key}}", workspace: { root: folder } },
      inputs: { ledger, ...more },
    },
  });
}

/** Starts a broker for one test. */
async function startBroker(skip: (condition: boolean, note?: string) => void) {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  return server;
}

async function makePlan(place: Place, config: string): Promise<string> {
  const planned = await switchyard(["fanout", "plan", "-"], { env: place.env, input: config });
  expect(planned.exitCode, planned.stderr).toBe(0);
  await writeFile(join(place.folder, "plan.json"), planned.stdout);
  return "plan.json";
}

test(
  "a plan is executed with runtime packages and reconciled [runtime-fanout-8] [runtime-fanout-15]",
  async () => {
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const plan = await makePlan(place, configOf(place, 4));
    const run = await switchyard(["fanout", "run", plan, "--out", "run.json", "--concurrency", "2"], options);
    expect([run.exitCode, JSON.parse(run.stdout)], run.stderr).toMatchObject([0, { status: "completed" }]);
    expect(run.stderr).toContain("started: night-t1, group 1 of 4\n");
    expect(run.stderr).toContain("completed: night-t1 (succeeded), group 1 of 4\n");
    expect(JSON.parse(run.stdout)).toMatchObject({ schema: "homeboy/fanout-reconcile-run/v1" });
    expect((await place.lines()).filter((line) => line.startsWith("end")).sort()).toEqual(
      ["t1", "t2", "t3", "t4"].map((id) => `end night-${id}`),
    );
    const again = await switchyard(["fanout", "run", plan, "--out", "run.json"], options);
    expect([again.exitCode, (await place.lines()).length]).toEqual([0, 8]);
    const kept = JSON.parse(await readFile(join(place.folder, "run.json"), "utf8"));
    await writeFile(join(place.folder, "less.json"), JSON.stringify({ ...kept, records: kept.records.slice(1) }));
    const less = await switchyard(["fanout", "reconcile", plan, "less.json"], options);
    expect([less.exitCode, JSON.parse(less.stdout)]).toMatchObject([
      1,
      { status: "failed", reconciliation: { record_count: 3, failed_task_ids: ["night-t1"] } },
    ]);
  },
  PATIENCE_MS,
);

test("a plan that could not be run is printed with a warning", async () => {
  const least = await switchyard(["fanout", "plan", "-"], { input: '{"items":[{"id":"a"}]}' });
  expect([least.exitCode, JSON.parse(least.stdout).task_requests.length]).toEqual([0, 1]);
  expect(least.stderr).toContain("warning: 1 of 1 tasks are incomplete; set task_request_template.");
  expect(least.stderr).toContain("executor is required");
  const none = await switchyard(["fanout", "plan", "-"], { input: "{}" });
  expect([none.exitCode, none.stderr.includes("warning: the plan has no tasks")]).toEqual([0, true]);
});

test(
  "a failed task makes the run fail, and an invalid plan is a usage error",
  async () => {
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const plan = await makePlan(place, configOf(place, 1, { status: "unable_to_remediate" }));
    const run = await switchyard(["fanout", "run", plan], options);
    expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([1, { records: [{ status: "failed" }] }]);
    const bad = await switchyard(["fanout", "run", "-"], { ...options, input: "{}" });
    expect(bad.exitCode).toBe(2);
    for (const url of ["http://127.0.0.1", "nats://user:hidden@127.0.0.1:4222/x", "nowhere"]) {
      const refused = await switchyard(["fanout", "run", plan, "--queue", url], options);
      expect([refused.exitCode, refused.stderr.includes("hidden")], refused.stderr).toEqual([2, false]);
    }
  },
  PATIENCE_MS,
);

test(
  "a killed run continues with the tasks that have no record [runtime-fanout-12]",
  async () => {
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const gate = join(place.folder, "gate");
    const first = JSON.parse((await switchyard(["fanout", "plan", "-"], { input: configOf(place, 6) })).stdout);
    // Later tasks wait until a gate file exists.
    for (const task of first.task_requests.slice(3)) task.inputs.gate = gate;
    await writeFile(join(place.folder, "plan.json"), JSON.stringify(first));
    const words = ["fanout", "run", "plan.json", "--out", "run.json", "--concurrency", "1"];
    const { command } = await startSwitchyard(words, options);
    await expect.poll(() => place.lines()).toContain("begin night-t4");
    command.kill("SIGKILL");
    await command;
    const kept = JSON.parse(await readFile(join(place.folder, "run.json"), "utf8"));
    expect([kept.status, kept.records.length]).toEqual(["incomplete", 3]);
    await writeFile(gate, "");
    const second = await switchyard(words, options);
    expect([second.exitCode, JSON.parse(second.stdout).records.length], second.stderr).toEqual([0, 6]);
    const begun = (await place.lines()).filter((line) => line.startsWith("begin"));
    expect(begun.filter((line) => /t[123]$/u.test(line))).toEqual(["t1", "t2", "t3"].map((id) => `begin night-${id}`));
  },
  PATIENCE_MS,
);

test(
  "records of the journal are taken over, but for a line that is torn [runtime-fanout-12]",
  async () => {
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const plan = await makePlan(place, configOf(place, 4));
    const words = ["fanout", "run", plan, "--out", "run.json"];
    expect((await switchyard(words, options)).exitCode).toBe(0);
    const file = join(place.folder, "run.json");
    const whole = JSON.parse(await readFile(file, "utf8"));
    const [first, second, third] = whole.records;
    await writeFile(file, JSON.stringify({ ...whole, status: "incomplete", records: [first] }));
    const torn = JSON.stringify(third).slice(0, 40);
    await writeFile(`${file}.journal`, `${JSON.stringify(second)}\n${torn}`);
    await writeFile(place.ledger, "");
    const again = await switchyard(words, options);
    expect([again.exitCode, JSON.parse(again.stdout).records.length], again.stderr).toEqual([0, 4]);
    const begun = (await place.lines()).filter((line) => line.startsWith("begin"));
    expect(begun.sort()).toEqual(["begin night-t3", "begin night-t4"]);
    await expect(readFile(`${file}.journal`)).rejects.toThrow();
  },
  PATIENCE_MS,
);

test(
  "workers of a queue execute a plan, and one that is killed loses its task to the other",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const gate = join(place.folder, "gate");
    const plan = await makePlan(place, configOf(place, 4, { gate }));
    const queue = ["--queue", `${server.url}/night`];
    const { command: running } = await startSwitchyard(["fanout", "run", plan, ...queue], options);
    const { command: doomed } = await startSwitchyard(["worker", ...queue, "--lease", "1"], options);
    await expect.poll(() => place.lines()).toHaveLength(1);
    const [first = ""] = await place.lines();
    doomed.kill("SIGKILL");
    await doomed;
    await writeFile(gate, "");
    const { command: worker } = await startSwitchyard(["worker", ...queue, "--lease", "1"], options);
    const ended = await running;
    expect(ended.exitCode, String(ended.stderr)).toBe(0);
    const run = JSON.parse(String(ended.stdout));
    expect(run.records.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill("completed"));
    const attempts = run.records.map(({ id, attempt }: { id: string; attempt: number }) => [`begin ${id}`, attempt]);
    expect(attempts.filter(([, attempt]: [string, number]) => attempt > 1)).toEqual([[first, 2]]);
    worker.kill("SIGTERM");
    expect((await worker).exitCode).toBe(0);
    for (const signal of ["SIGINT", "SIGHUP"] as const) {
      const { command: idle } = await startSwitchyard(["worker", ...queue], options);
      await once(idle.stderr, "data");
      idle.kill(signal);
      expect((await idle).exitCode).toBe(0);
    }
    // A second `fanout run` executes nothing, because the queue has the records.
    const again = await switchyard(["fanout", "run", plan, ...queue], options);
    expect([again.exitCode, JSON.parse(again.stdout).status]).toEqual([0, "completed"]);
  },
  PATIENCE_MS,
);

test(
  "a worker that a signal stops in the middle of a task gives it back and exits with 0; another one does it",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const gate = join(place.folder, "gate");
    const plan = await makePlan(place, configOf(place, 1, { gate }));
    const queue = ["--queue", `${server.url}/night`];
    const { command: running } = await startSwitchyard(["fanout", "run", plan, ...queue], options);
    const { command: stopped } = await startSwitchyard(["worker", ...queue], options);
    await expect.poll(() => place.lines()).toHaveLength(1);
    stopped.kill("SIGTERM");
    const { exitCode, stderr } = await stopped;
    expect([exitCode, String(stderr)]).toEqual([0, expect.stringContaining("night-t1, attempt 1")]);
    await writeFile(gate, "");
    const { command: other } = await startSwitchyard(["worker", ...queue], options);
    const ended = await running;
    expect([ended.exitCode, JSON.parse(String(ended.stdout)).records], String(ended.stderr)).toMatchObject([
      0,
      [{ status: "completed", attempt: 2 }],
    ]);
    other.kill("SIGTERM");
    expect((await other).exitCode).toBe(0);
  },
  PATIENCE_MS,
);

test(
  "a worker whose machine cannot store anything returns its task and ends; another worker does the task",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const place = await makePlace();
    const options = { cwd: place.folder, env: place.env };
    const plan = await makePlan(place, configOf(place, 1));
    const words = ["worker", "--queue", `${server.url}/night`];
    const { command: running } = await startSwitchyard(["fanout", "run", plan, ...words.slice(1)], options);
    const ill = await switchyard(words, { ...options, env: { ...place.env, XDG_STATE_HOME: "/proc/none" } });
    expect(ill.exitCode, ill.stderr).toBe(3);
    expect(ill.stderr).toMatch(/given_back: night-t1, attempt 1: .* cannot be written: .*\n(?:.*\n)*error: /);
    expect(await place.lines()).toEqual([]);
    const { command: sound } = await startSwitchyard(words, options);
    const ended = await running;
    expect([ended.exitCode, JSON.parse(String(ended.stdout)).records], String(ended.stderr)).toMatchObject([
      0,
      [{ status: "completed", attempt: 2 }],
    ]);
    sound.kill("SIGTERM");
    await sound;
  },
  PATIENCE_MS,
);

test(
  "dead tasks of a queue are printed, and queued again when that is asked for",
  async ({ skip }) => {
    const server = await startBroker(skip);
    await using queue = await openNatsWorkQueue({ servers: server.url, name: "night", maxAttempts: 1 });
    await queue.add({ group: "plan", id: "t1", body: { do: "mend" } });
    await (await queue.take())?.release("no disk");
    const words = ["fanout", "dead", "--queue", `${server.url}/night`];
    const listDead = async (): Promise<unknown[]> => JSON.parse((await switchyard(words)).stdout);
    // The next worker that takes the task marks it as dead and waits for another task.
    const next = queue.take();
    await expect.poll(listDead).toHaveLength(1);
    expect(await listDead()).toMatchObject([{ group: "plan", id: "t1", attempts: 1, problem: "no disk" }]);
    const again = await switchyard([...words, "--requeue"]);
    expect([again.exitCode, again.stderr]).toEqual([0, "1 task requeued"]);
    const lease = await next;
    expect([lease?.task, lease?.attempt]).toEqual([{ group: "plan", id: "t1", body: { do: "mend" } }, 1]);
    await lease?.finish("done");
    expect(await listDead()).toEqual([]);
  },
  PATIENCE_MS,
);
