import {
  DEPENDENCY,
  EngineError,
  isControlSource,
  isExecutionEnvironment,
  type RunControl,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { createEnvelope, defineEngine, getDependency } from "@switchyard/engine";
import { expect, onTestFinished, test, vi } from "vitest";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASK, post } from "./open-server.ts";
import { gate } from "./step-engine.ts";
import { type Sent, seqsOf, watch } from "./watch-run.ts";

/** Engine that waits for a message, asks a question, and reports both texts. */
const talking = defineEngine(
  async (run, host, board) => {
    const control = getDependency(run.deps, DEPENDENCY.control, isControlSource);
    const said = await new Promise<string>((resolve) => {
      const read = (): void => {
        const [message] = control.drain();
        if (message !== undefined) resolve(message.text);
      };
      control.onMessage(read);
      read();
    });
    const answer = await host.askUser({ parts: [{ type: "text", text: "Go on?" }] });
    const [part] = answer.parts;
    board.set(SESSION_RESULT, { exit_code: 0, final_message: `${said} ${part?.type === "text" ? part.text : ""}` });
  },
  { name: "served", acceptsSteering: true },
);

describeWithBroker("messages between callers and the workers of a cluster", () => {
  const createCluster = useClusters();

  test("clients of every server see pieces of text that are not stored, between the stored events around them", async () => {
    const cluster = createCluster();
    const [one, two] = [await cluster.addServer(), await cluster.addServer()];
    const watched = gate();
    let isSeen = false;
    const engine = defineEngine(
      async (run, host, board) => {
        const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
        await host.publish(createEnvelope("step_start", { step: "first" }, marks));
        await watched.opened;
        // Pieces are dropped while no server follows the run, and for a short time afterwards.
        while (!isSeen) {
          await host.publish(createEnvelope("assistant_text_delta", { type: "token", content: "piece" }, marks));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await host.publish(createEnvelope("step_start", { step: "second" }, marks));
        board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
      },
      { name: "served" },
    );
    const runId = await create(one);
    const seen: Sent[][] = [[], []];
    const isPiece = ({ data }: Sent): boolean => data["type"] === "assistant_text_delta";
    const watching = [one, two].map((server, index) =>
      watch(server, runId, {
        onEvent: (event) => {
          seen[index]?.push(event);
          if (Object(event.data["payload"]).step === "first") watched.open();
          isSeen = seen.every((events) => events.some(isPiece));
        },
      }),
    );
    await cluster.addWorker(engine);
    await untilStatus(one, runId, { status: "completed" });
    for (const events of await Promise.all(watching)) {
      const kinds = events.map((event) => (isPiece(event) ? "piece" : String(Object(event.data["payload"]).step)));
      const [first, second] = [kinds.indexOf("first"), kinds.indexOf("second")];
      expect(kinds.indexOf("piece")).toBeGreaterThan(first);
      expect(kinds.lastIndexOf("piece")).toBeLessThan(second);
      expect(seqsOf(events)).toEqual(seqsOf(events).map((_, index) => index + 1));
    }
  });

  test("clients see a piece of text before the stored event that follows it, even if earlier pieces are not acknowledged", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const [watched, acknowledged] = [gate(), gate()];
    const engine = defineEngine(
      async (run, host, board) => {
        const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
        await host.publish(createEnvelope("step_start", { step: "first" }, marks));
        await watched.opened;
        for (const content of ["one", "two"])
          await host.publish(createEnvelope("assistant_text_delta", { type: "token", content }, marks));
        await host.publish(createEnvelope("step_start", { step: "second" }, marks));
        acknowledged.open();
        board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
      },
      { name: "served" },
    );
    const sendIncrements: typeof connection.sendIncrements = async (...message) => {
      const isReceived = await connection.sendIncrements(...message);
      await acknowledged.opened;
      return isReceived;
    };
    const runId = await create(server);
    const seen: Sent[] = [];
    const watching = watch(server, runId, {
      onEvent: (event) => {
        seen.push(event);
        if (Object(event.data["payload"]).step === "first") watched.open();
      },
    });
    await cluster.addWorker(engine, { cluster: { ...connection, sendIncrements } });
    await watching;
    const texts = seen.map(({ data }) => Object(data["payload"])).map(({ step, content }) => step ?? content);
    expect(texts.filter((text) => text !== undefined)).toEqual(["first", "one", "two", "second"]);
  });

  test("POST /v1/run waits for the worker, and the answer contains the artifacts", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const engine = defineEngine(
      async (run, host, board) => {
        const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
        const text = Buffer.from(await environment.readFile("in.txt")).toString();
        await environment.writeFile("out.txt", Buffer.from(text.toUpperCase()));
        // The caller cannot answer, so the question is refused.
        const refusal = await host.askUser({ parts: [] }).catch((error: unknown) => Object(error).code);
        const files = [{ name: "out.txt", path: "out.txt" }];
        board.set(SESSION_RESULT, { exit_code: 0, final_message: String(refusal), artifacts: { files } });
      },
      { name: "served" },
    );
    await cluster.addWorker(engine, { name: "w1" });
    const sent = new FormData();
    sent.set("payload", JSON.stringify(ASK));
    sent.append("files", new Blob(["some text"]), "in.txt");
    const { status, body, headers } = await post(server, sent);
    expect([status, body]).toMatchObject([
      200,
      { exit_code: 0, artifacts: { files: [{ name: "out.txt", content: "SOME TEXT" }] } },
    ]);
    expect(body["final_message"]).toBe("prompt.unavailable");
    const shown = await call(server, `GET /v1/runs/${headers.get("switchyard-run-id")}`);
    expect(shown.body).toMatchObject({ status: "completed", worker: "w1" });
    // The line of the request reports the run, so no other line does.
    expect(server.runLines).toEqual([]);
  });

  test("the run of a POST /v1/run is interrupted if the caller disconnects, also while it is queued", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const statusOf = async () =>
      (await connection.store.list()).flatMap((run) => ("record" in run ? [run.record] : []));
    const first = new AbortController();
    const waiting = post(server, JSON.stringify(ASK), { signal: first.signal }).catch(() => undefined);
    await expect.poll(statusOf).toMatchObject([{ status: "queued" }]);
    first.abort();
    await waiting;
    await expect.poll(statusOf).toMatchObject([{ status: "interrupted" }]);
    await cluster.addWorker(talking);
    const second = new AbortController();
    const running = post(server, JSON.stringify(ASK), { signal: second.signal }).catch(() => undefined);
    await expect.poll(async () => (await statusOf()).map(({ status }) => status)).toContain("running");
    second.abort();
    await running;
    await expect
      .poll(async () => (await statusOf()).map(({ status }) => status))
      .toEqual(["interrupted", "interrupted"]);
  });

  test("messages and answers reach the worker through any server", async () => {
    const cluster = createCluster();
    const [one, two] = [await cluster.addServer(), await cluster.addServer()];
    const runId = await create(one);
    const early = await call(two, `POST /v1/runs/${runId}/steer`, { body: { text: "too early" } });
    expect(early).toMatchObject({ status: 409, body: { code: "server.run_not_at_work" } });
    await cluster.addWorker(talking);
    await untilStatus(two, runId, { status: "running" });
    await expect
      .poll(async () => (await call(two, `POST /v1/runs/${runId}/steer`, { body: { text: "hello" } })).status)
      .toBe(202);
    const events: Sent[] = [];
    const watching = watch(one, runId, { onEvent: (event) => events.push(event) });
    await expect.poll(() => events.map(({ data }) => data["type"])).toContain("user_prompted");
    const wrong = await call(one, `POST /v1/runs/${runId}/answer`, { body: { prompt_id: "p", text: "yes" } });
    expect(wrong.body).toMatchObject({ code: "prompt.unknown" });
    const asked = events.find(({ data }) => data["type"] === "user_prompted");
    const { prompt_id } = Object(asked?.data["payload"]);
    const answer = await call(one, `POST /v1/runs/${runId}/answer`, { body: { prompt_id, text: "yes" } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const { body } = await untilStatus(two, runId, { status: "completed" });
    expect(body["result"]).toMatchObject({ final_message: "hello yes" });
    await watching;
  });

  test("a worker does not trust messages: it checks offers, answers and texts again", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    // A run for a worker with another label is offered to a worker without it, once.
    const elsewhere = await create(server, { body: { input: ASK, labels: { gpu: "a100" } } });
    let isOffered = false;
    const requestRuns: typeof connection.requestRuns = async (worker, options) => {
      if (isOffered) return await connection.requestRuns(worker, options);
      isOffered = true;
      return [elsewhere];
    };
    const problems: unknown[] = [];
    await cluster.addWorker(talking, {
      ...{ cluster: { ...connection, requestRuns } },
      onError: (error) => problems.push(Object(error).code),
    });
    await expect.poll(() => problems).toEqual(["run.unsuitable_worker"]);
    expect((await call(server, `GET /v1/runs/${elsewhere}`)).body).toMatchObject({ status: "queued" });
    // A message with a text that no server accepts is refused, and an answer for which only questions were allowed, too.
    const runId = await create(server);
    await untilStatus(server, runId, { status: "running" });
    const send = (control: RunControl) => connection.sendControl(runId, control).catch((error) => Object(error).code);
    await expect.poll(() => send({ kind: "steer", text: "" })).toBe("server.bad_request");
    expect(await send({ kind: "interrupt", interrupt: { cause: "host_shutdown" } })).toBe("server.bad_request");
    await expect.poll(() => send({ kind: "steer", text: "hello" })).toBe(true);
    await untilStatus(server, runId, { status: "awaiting_input" });
    const events: Sent[] = [];
    const watching = watch(server, runId, { onEvent: (event) => events.push(event) });
    await expect.poll(() => events.map(({ data }) => data["type"])).toContain("user_prompted");
    const { prompt_id: promptId } = Object(
      events.find(({ data }) => data["type"] === "user_prompted")?.data["payload"],
    );
    const answer = { kind: "answer", promptId, text: "yes" } as const;
    expect(await send({ ...answer, promptKind: "approval" })).toBe("prompt.unknown");
    expect(await send({ ...answer, promptKind: "question" })).toBe(true);
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body["result"]).toMatchObject({ final_message: "hello yes" });
    await watching;
  });

  test.each([
    ["five seconds after the broker refused its request", "broker.refused", 5_000],
    ["a quarter of a second after another failure", "broker.unreachable", 250],
  ] as const)("a worker asks for runs again %s", async (_, code, pauseMs) => {
    const cluster = createCluster();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    let requests = 0;
    const requestRuns: typeof connection.requestRuns = async () => {
      requests += 1;
      throw new EngineError(code, { address: "nats://queue", problem: "it is denied" });
    };
    // Only the timers of the worker are simulated, because the connection is open already.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      await cluster.addWorker(talking, { cluster: { ...connection, requestRuns } });
      await vi.advanceTimersByTimeAsync(pauseMs - 1);
      expect(requests).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(requests).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a worker that was offered the run of another worker answers no message to this run", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const blocked = gate();
    const engine = defineEngine(
      async (_, __, board) => {
        await blocked.opened;
        board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
      },
      { name: "served", acceptsSteering: true },
    );
    const runId = await create(server);
    await cluster.addWorker(engine, { name: "w1" });
    await untilStatus(server, runId, { status: "running" });
    const steer = async () => (await call(server, `POST /v1/runs/${runId}/steer`, { body: { text: "hello" } })).status;
    await expect.poll(steer).toBe(202);
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    let offers = 0;
    const offering = {
      ...connection,
      requestRuns: async () => {
        offers += 1;
        return [runId];
      },
    };
    await cluster.addWorker(engine, { name: "w2", cluster: offering });
    // The second worker works on its first offer until it asks again.
    const statuses: number[] = [];
    while (offers < 2) statuses.push(await steer());
    expect(new Set(statuses)).toEqual(new Set([202]));
    blocked.open();
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body).toMatchObject({ worker: "w1" });
  });
});
