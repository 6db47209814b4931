import { createClient } from "@switchyard/client";
import { DEPENDENCY, EngineError, type Envelope, isExecutionEnvironment, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, onTestFinished, test } from "vitest";
import { OPERATIONS } from "../src/api/operations.ts";
import { parseTokens } from "../src/index.ts";
import { ASK, answering, DONE, makeFolder, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";
import { counted } from "./watch-run.ts";

const TOKEN = "client-token-of-nobody-0123456789";
const TOKENS = parseTokens(`${TOKEN} owner=u roles=runner,approver\n`, "tokens.txt");
const quick = { sleep: () => new Promise<void>((resolve) => setImmediate(resolve)), random: () => 0 };

async function collect(events: AsyncIterable<Envelope>): Promise<Envelope[]> {
  const collected: Envelope[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

function seqsOf(events: readonly Envelope[]): number[] {
  return events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
}

test("a run is created, watched, shown and deleted with its files", async () => {
  const server = await openServer(
    answering((input) => ({ ...DONE, final_message: `heard ${String(input.messages.at(-1)?.content)}` })),
    { tokens: TOKENS },
  );
  const client = createClient({ url: server.url, token: TOKEN });
  const created = await client.runs.create(ASK, { idempotencyKey: "k" });
  expect((await client.runs.create(ASK, { idempotencyKey: "k" })).run_id).toBe(created.run_id);
  const events = await collect(client.runs.events(created.run_id));
  expect(seqsOf(events)).toEqual(counted(events.length));
  const over = await client.runs.wait(created.run_id);
  expect(over).toMatchObject({ status: "completed", result: { final_message: "heard Do it." } });
  expect(await client.runs.artifacts(created.run_id)).toEqual([]);
  const forked = await client.runs.fork(created.run_id, { messages: [{ role: "user", content: "Again." }] });
  expect(await client.runs.wait(forked.run_id)).toMatchObject({ result: { final_message: "heard Again." } });
  const listed: string[] = [];
  for await (const { run_id } of client.runs.all({ limit: 1 })) listed.push(run_id);
  expect(listed).toEqual([forked.run_id, created.run_id]);
  expect((await client.runs.list({ parentRunId: created.run_id })).runs).toHaveLength(1);
  await client.runs.delete(created.run_id);
  const missing = await client.runs.get(created.run_id).catch((error: unknown) => error);
  expect(missing).toMatchObject({ code: "server.unknown_run", status: 404, class: "not_found", retryable: false });
});

test("output matches a given schema, and an invalid schema is rejected", async () => {
  const answers = ["Blue.", '{"colour":"blue"}'];
  const engine = answering(() => ({ ...DONE, final_message: answers.shift() ?? "" }));
  const { runs } = createClient({ url: (await openServer(engine)).url });
  const outputSchema = { type: "object", properties: { colour: { enum: ["blue"] } }, required: ["colour"] };
  const created = await runs.create(ASK, { outputSchema });
  expect(await runs.wait(created.run_id)).toMatchObject({
    ...{ status: "completed", attempt: 2, output: { colour: "blue" } },
    result: { final_message: '{"colour":"blue"}' },
  });
  const refused = await runs.create(ASK, { outputSchema: { type: "no type" } }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "server.bad_body", status: 400 });
  expect(String(refused)).toContain("output_schema");
  expect((await runs.list()).runs).toHaveLength(1);
});

test("a run is retried as often as its caller requests, if its engine supports it", async () => {
  const engine = stepEngine({
    steps: 1,
    before: () => {
      throw new EngineError("llm.network", { url: "http://127.0.0.1:9", problem: "refused" });
    },
  });
  const { runs } = createClient({ url: (await openServer(engine)).url });
  const { run_id: runId } = await runs.create(ASK, { maxAttempts: 2 });
  let most = 0;
  for await (const event of runs.events(runId)) {
    if (event.type !== "retry_scheduled") continue;
    most = event.payload.max_attempts;
    // The delay before the next attempt is long, so the run is interrupted.
    await runs.interrupt(runId);
  }
  expect(most).toBe(2);
  expect(await runs.get(runId)).toMatchObject({ status: "interrupted" });
  const once = createClient({ url: (await openServer(answering(() => DONE))).url });
  const refused = await once.runs.create(ASK, { maxAttempts: 2 }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "server.bad_body", status: 400 });
});

test("input files are uploaded, and artifacts are returned byte for byte", async () => {
  const engine = defineEngine(
    async (run, _, board) => {
      const environment = run.deps.get(DEPENDENCY.environment);
      if (!isExecutionEnvironment(environment)) throw new Error("there is no environment");
      const bytes = Buffer.from(String(await environment.readFile("in/a b.txt"))).toString("hex");
      await environment.writeFile("out/é.txt", bytes);
      board.set(SESSION_RESULT, { ...DONE, artifacts: { generated_files: ["out/é.txt"] } });
    },
    { name: "served" },
  );
  const server = await openServer(engine);
  const { runs, run } = createClient({ url: server.url });
  const created = await runs.create(ASK, {
    files: { "in/a b.txt": "äb", "in/b.bin": new Blob([new Uint8Array([0, 255])]) },
  });
  expect(await runs.wait(created.run_id)).toMatchObject({ status: "completed" });
  const [artifact] = await runs.artifacts(created.run_id);
  const pieces: Uint8Array[] = [];
  for await (const piece of await runs.artifact(created.run_id, artifact?.path ?? "")) pieces.push(piece);
  expect(Buffer.concat(pieces).toString("utf8")).toBe(Buffer.from("äb").toString("hex"));
  expect(await run(ASK, { files: { "in/a b.txt": "äb" } })).toMatchObject({ exit_code: 0 });
});

test("a run is interrupted and resumed, and its events include both attempts", async () => {
  const blocked = gate();
  onTestFinished(blocked.open);
  const server = await openServer(
    stepEngine({ steps: 3, before: (step) => (step === 2 ? blocked.opened : undefined) }),
  );
  const { runs } = createClient({ url: server.url });
  const { run_id: runId } = await runs.create(ASK);
  const stopped: Envelope[] = [];
  for await (const event of runs.events(runId)) {
    stopped.push(event);
    if (event.type === "step_start") {
      await runs.interrupt(runId, { detail: "enough" });
      blocked.open();
    }
  }
  expect((await runs.get(runId)).status).toBe("interrupted");
  await runs.resume(runId);
  const over = await runs.wait(runId);
  expect(over).toMatchObject({ status: "completed", attempt: 2 });
  const all = await collect(runs.events(runId));
  expect(seqsOf(all)).toEqual(counted(seqsOf(all).length));
  expect(await collect(runs.events(runId, { afterSeq: seqsOf(all).length - 1 }))).toHaveLength(1);
});

test("steering reaches a run's engine, and its questions are answered", async () => {
  const server = await openServer({
    capabilities: () => ({ acceptsSteering: true }),
    async execute(run, host, board) {
      const parts = [{ type: "text" as const, text: "Which one?" }];
      const reply = await host.askUser({ id: "q1", parts }, { signal: run.signal });
      const [part] = reply.parts;
      board.set(SESSION_RESULT, { ...DONE, final_message: part?.type === "text" ? part.text : "" });
      return board;
    },
  });
  const { runs } = createClient({ url: server.url });
  const { run_id: runId } = await runs.create(ASK);
  const reported: string[] = [];
  for await (const event of runs.events(runId)) {
    reported.push(event.type);
    if (event.type !== "user_prompted") continue;
    await runs.steer(runId, "hurry", { when: "after" });
    const wrong = await runs.answer(runId, { promptId: "q2", text: "?" }).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: "prompt.unknown", status: 404 });
    await runs.answer(runId, { promptId: event.payload.prompt_id, text: "the second" });
  }
  expect((await runs.get(runId)).result?.final_message).toBe("the second");
  expect(reported).toContain("control_received");
});

test("a server outage loses neither a run nor an event", async () => {
  const state = `${await makeFolder()}/state`;
  const blocked = gate();
  onTestFinished(blocked.open);
  const engine = stepEngine({ steps: 4, before: (step) => (step === 3 ? blocked.opened : undefined) });
  const first = await openServer(engine, { stateDirectory: state });
  const port = Number(new URL(first.url).port);
  const { runs } = createClient({ url: first.url, retries: 100_000, ...quick });
  const { run_id: runId } = await runs.create(ASK);
  const seen: Envelope[] = [];
  let drained: Promise<void> | undefined;
  for await (const event of runs.events(runId)) {
    seen.push(event);
    if (event.type !== "step_start" || drained !== undefined) continue;
    drained = first.drain().then(async () => {
      blocked.open();
      const second = await openServer(engine, { stateDirectory: state, port });
      await createClient({ url: second.url })
        .runs.resume(runId)
        .catch(() => undefined);
    });
  }
  await drained;
  const rest = await collect(runs.events(runId, { afterSeq: seqsOf(seen).length }));
  const over = await runs.wait(runId);
  expect(over.status).toBe("completed");
  expect(seqsOf([...seen, ...rest])).toEqual(counted(seqsOf([...seen, ...rest]).length));
});

test("server errors are errors of the table, without the token", async () => {
  const server = await openServer(stepEngine({ steps: 1 }), { tokens: TOKENS });
  const failed = async (token: string | undefined): Promise<unknown> =>
    createClient({ url: server.url, token })
      .runs.list()
      .catch((error: unknown) => error);
  const unknown = await failed(`${TOKEN}x`);
  expect(EngineError.is(unknown, "server.unauthorized")).toBe(true);
  expect(String(unknown)).not.toContain(TOKEN);
  expect(JSON.stringify(unknown)).not.toContain(TOKEN);
  expect(await failed(undefined)).toMatchObject({ status: 401 });
  const client = createClient({ url: server.url, token: TOKEN });
  const limited = await client.runs.list({ limit: 1000 }).catch((error: unknown) => error);
  expect(limited).toMatchObject({
    code: "server.bad_parameter",
    status: 400,
    message: expect.stringContaining("limit"),
  });
});

test("there is a method for every operation that callers may use", () => {
  const METHODS: Readonly<Record<string, keyof ReturnType<typeof createClient>["runs"]>> = {
    ...{ createRun: "create", listRuns: "list", showRun: "get", deleteRun: "delete", watchRun: "events" },
    ...{ steerRun: "steer", answerRun: "answer", interruptRun: "interrupt", resumeRun: "resume", forkRun: "fork" },
    ...{ listArtifacts: "artifacts", readArtifact: "artifact", readStatistics: "statistics", undoRun: "undo" },
    ...{ readPatch: "patch", readCaller: "caller" },
  };
  const { runs } = createClient({ url: "http://127.0.0.1:1" });
  const named = OPERATIONS.map(({ id }) => id).filter((id) => id !== "readMetrics");
  expect(Object.keys(METHODS).sort()).toEqual([...named].sort());
  for (const name of named) expect(typeof runs[METHODS[name] ?? "create"]).toBe("function");
});
