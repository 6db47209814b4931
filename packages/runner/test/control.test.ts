import { join } from "node:path";
import {
  type Client,
  type ControlMessage,
  DEPENDENCY,
  type Envelope,
  isControlSource,
  type ModelRequest,
  type RunStore,
  SESSION_RESULT,
  type SessionHandle,
  textOf,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { createMemoryStore } from "@switchyard/stores/memory";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openAgentEngine, resumeSession, startSession } from "../src/index.ts";
import { mishap } from "./counting-engine.ts";
import { collect, deferred, type TemporaryWorkspace, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

const AGENT = { env: {}, model: "openai/gpt-5", retry: false } as const;
const OK = { exit_code: 0, final_message: "ok" } as const;
const STEPS = [toolCall("shell", { command: "true" }), text("First."), text("Second.")];

function memoryStore({ root }: TemporaryWorkspace): RunStore {
  return createMemoryStore({ directory: join(root, "../runs") });
}

/** Returns a model that responds to a number of calls and then hangs, as if its caller were killed. */
function silentAfter(calls: number): { client: Client; silent: Promise<void> } {
  const inner = scriptedClient(STEPS, { follows: "conversation" });
  const { promise: silent, resolve } = deferred();
  let made = 0;
  const client: Client = {
    ...inner,
    async *stream(request) {
      made += 1;
      if (made <= calls) {
        yield* inner.stream(request);
        return;
      }
      resolve();
      await new Promise((_, reject) => {
        request.signal?.addEventListener("abort", () => reject(request.signal?.reason), { once: true });
      });
    },
  };
  return { client, silent };
}

/** Waits until a number of control messages is stored. */
async function received(handle: SessionHandle, count: number): Promise<void> {
  let left = count;
  for await (const { type } of handle.events()) if (type === "control_received" && --left === 0) return;
}

function textsOf(request: ModelRequest | undefined): string[] {
  return (request?.messages ?? []).filter(({ role }) => role === "user").map(textOf);
}

function injected(events: readonly Envelope[]): string[] {
  return events.flatMap((event) => (event.type === "steering_injected" ? [event.payload.content] : []));
}

test("a user's message is stored before the engine receives it, and delivered again if it was interrupted before a checkpoint [D8] [D9]", async () => {
  using workspace = temporaryWorkspace();
  for (const calls of [0, 1]) {
    const store = memoryStore(workspace);
    const { client, silent } = silentAfter(calls);
    const first = await openAgentEngine({ ...AGENT, client });
    const options = workspace.options({ engine: first, engineName: "agent", store });
    const handle = await startSession(task("Go."), options);
    await silent;
    handle.steer("with tabs");
    handle.followUp("and then this");
    handle.steer("and quickly");
    await received(handle, 3);

    const second = scriptedClient(STEPS, { follows: "conversation" });
    const engine = await openAgentEngine({ ...AGENT, client: second });
    const again = await resumeSession(handle.runId, { ...options, engine, takeOver: true });
    const report = await again.result;
    expect(report).toMatchObject({ status: "completed", result: { final_message: "Second." } });
    expect(report.warnings).toBeUndefined();
    expect(textsOf(second.requests.at(-1))).toEqual(["Go.", "with tabs", "and quickly", "and then this"]);
    const events = await collect(store.events(handle.runId));
    expect(injected(events)).toEqual(["with tabs", "and quickly"]);
    expect(events.flatMap((event) => (event.type === "control_received" ? [event.payload] : []))).toEqual([
      { control_id: "1-1", kind: "steer", content: "with tabs" },
      { control_id: "1-2", kind: "follow_up", content: "and then this" },
      { control_id: "1-3", kind: "steer", content: "and quickly" },
    ]);
    await handle.result;
  }
});

test("a message in a checkpoint is not delivered a second time, whatever messages follow [D9]", async () => {
  using workspace = temporaryWorkspace();
  const store = memoryStore(workspace);
  const taken: string[][] = [];
  const engineOf = (checkpoints: boolean, then: () => Promise<void>) =>
    defineEngine(
      async (run, host, board) => {
        const control = getDependency(run.deps, DEPENDENCY.control, isControlSource);
        const texts: string[] = [];
        const take = (): void => void texts.push(...control.drain().map((message: ControlMessage) => message.text));
        taken.push(texts);
        take();
        if (run.resumeFrom === undefined && texts.length === 0) {
          await new Promise<void>((resolve) => control.onMessage(resolve));
          take();
        }
        const timestamp = new Date(0).toISOString();
        if (checkpoints) await host.checkpoint({ execId: run.id, board: board.snapshot(), timestamp });
        await then();
        take();
        board.set(SESSION_RESULT, OK);
      },
      { name: "listener", supportsResume: true, emitsCheckpoint: true, acceptsSteering: true },
    );
  const stored = deferred();
  const failing = engineOf(true, async () => {
    stored.resolve();
    await heardTwo.promise;
    throw mishap();
  });
  const heardTwo = deferred();
  const options = workspace.options({ engine: failing, engineName: "listener", store });
  const handle = await startSession(task(), options);
  handle.steer("one");
  await stored.promise;
  handle.steer("two");
  await received(handle, 2);
  heardTwo.resolve();
  await handle.result;
  const failingAgain = engineOf(false, () => Promise.reject(mishap()));
  await (await resumeSession(handle.runId, { ...options, engine: failingAgain })).result;
  const failingLater = engineOf(true, () => Promise.reject(mishap()));
  await (await resumeSession(handle.runId, { ...options, engine: failingLater })).result;
  const last = await resumeSession(handle.runId, { ...options, engine: engineOf(true, async () => {}) });
  expect(await last.result).toMatchObject({ status: "completed" });
  expect(taken).toEqual([["one"], ["two"], ["two"], []]);
});

test("a message that arrives too late for the engine is reported and stored", async () => {
  using workspace = temporaryWorkspace();
  const store = memoryStore(workspace);
  const text = deferred();
  const engine = defineEngine(
    async (_run, _host, board) => {
      board.set(SESSION_RESULT, OK);
      await text.promise;
    },
    { acceptsSteering: true },
  );
  const handle = await startSession(task(), workspace.options({ engine, store }));
  handle.followUp("more");
  text.resolve();
  expect((await handle.result).warnings).toEqual([expect.stringContaining("1 message came too late")]);
  expect(typesOf(await collect(store.events(handle.runId)))).toContain("control_received");
});

test("an agent that has given its last answer takes no message that it would not deal with", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([text("Done.")]);
  const engine = await openAgentEngine({ ...AGENT, client });
  let handle: SessionHandle | undefined;
  const over = deferred();
  const options = workspace.options({
    engine,
    // Delays the engine just before the end of its session.
    middlewares: [
      (inner) => ({
        ...inner,
        publish: async (envelope) => {
          if (envelope.type === "processing_end") {
            handle?.followUp("more");
            await over.promise;
          }
          await inner.publish(envelope);
        },
      }),
    ],
  });
  handle = await startSession(task(), options);
  await received(handle, 1);
  over.resolve();
  expect((await handle.result).warnings).toEqual([expect.stringContaining("1 message came too late")]);
});
