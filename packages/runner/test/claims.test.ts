import { type Engine, SESSION_RESULT } from "@switchyard/contracts";
import { createEnvelope, defineEngine, withCapabilities } from "@switchyard/engine";
import { secret } from "@switchyard/secrets";
import { createMemoryStore } from "@switchyard/stores/memory";
import { expect, test } from "vitest";
import { runSession, startSession } from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

const OK = { exit_code: 0, final_message: "ok" } as const;
const KEY = "test-key-0123456789abcdef";

function storeOf({ root }: { root: string }) {
  return createMemoryStore({ directory: `${root}/../runs` });
}

test("only checkpoints of engines that declare them are stored; others are reported to the run [engine-capabilities-11]", async () => {
  using workspace = temporaryWorkspace();
  for (const emitsCheckpoint of [true, false]) {
    const store = storeOf(workspace);
    const engine = defineEngine(
      async (run, host, board) => {
        for (const step of ["one", "two"]) {
          await host.checkpoint({
            execId: run.id,
            step,
            board: board.snapshot(),
            timestamp: new Date(0).toISOString(),
          });
        }
        board.set(SESSION_RESULT, OK);
      },
      { emitsCheckpoint },
    );
    const { runId, status, warnings } = await runSession(task(), workspace.options({ engine, store }));
    expect(status).toBe("completed");
    expect((await store.load(runId))?.step).toBe(emitsCheckpoint ? "two" : undefined);
    const saved = typesOf(await collect(store.events(runId))).filter((type) => type === "checkpoint_saved");
    expect(saved).toHaveLength(emitsCheckpoint ? 2 : 0);
    expect(warnings).toEqual(
      emitsCheckpoint ? undefined : [expect.stringContaining("does not declare `emitsCheckpoint`")],
    );
  }
});

test("an engine may be wrapped: its keys are masked, and it is asked for a checkpoint all the same", async () => {
  using workspace = temporaryWorkspace();
  const requests = deferred();
  const inner = defineEngine(
    async (run, host, board) => {
      const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
      await requests.promise;
      await host.publish(createEnvelope("user_input", { content: `it is ${KEY}` }, marks));
      board.set(SESSION_RESULT, OK);
    },
    { suggestCheckpoint: () => requests.resolve() },
  );
  const wrapped = withCapabilities(withCapabilities({ ...inner, ...{ secrets: [secret(KEY)] } }, {}), {});
  const handle = await startSession(task(), workspace.options({ engine: wrapped }));
  handle.suggestCheckpoint();
  const text = JSON.stringify(await collect(handle.events()));
  expect(text).toContain("it is ***REDACTED***");
  expect(text).not.toContain(KEY);
});

test("an engine with invalid capabilities has no effect: they are read before the run is accepted [D1]", async () => {
  using workspace = temporaryWorkspace();
  let isAccepted = false;
  const inner = storeOf(workspace);
  const store = {
    ...inner,
    create: async (...given: Parameters<typeof inner.create>) => {
      const writer = await inner.create(...given);
      isAccepted = true;
      return writer;
    },
  };
  const engine: Engine = {
    ...defineEngine(async (_run, _host, board) => board.set(SESSION_RESULT, OK)),
    capabilities: () => {
      if (isAccepted) throw new Error("no claims any more");
      return {};
    },
  };
  const handle = await startSession(task(), workspace.options({ engine, store }));
  handle.steer("is heard by nobody");
  expect(await handle.result).toMatchObject({ status: "completed" });
});
