// An engine of a few lines: it echoes the task word by word. Its events reach a sink through bus and router.
import assert from "node:assert/strict";
import type { Run } from "@switchyard/contracts";
import { SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import {
  createBoard,
  createDependencies,
  createEventBus,
  createStreamRouter,
  defineEngine,
  emitStreamToken,
  hostFuncs,
  noopHost,
} from "@switchyard/engine";

const echo = defineEngine(async (run, host, board) => {
  const task = board.get(SESSION_INPUT)?.messages.at(-1)?.content ?? "";
  for (const word of task.split(" ")) {
    await emitStreamToken(host, `${word} `, {
      runId: run.id,
      actor: "echo",
      attempt: 1,
      now: Date.now,
      createId: () => crypto.randomUUID(),
    });
  }
  board.set(SESSION_RESULT, { exit_code: 0, final_message: task });
});

const bus = createEventBus();
const router = createStreamRouter(bus);
let streamed = "";
router.attach("run-1", "terminal", (_envelope, delta) => {
  if (delta?.type === "token") streamed += delta.content;
});

const host = hostFuncs(noopHost(), { publish: (envelope) => bus.publish(envelope) });
const board = createBoard();
board.set(SESSION_INPUT, { messages: [{ role: "user", content: "hello from an engine" }] });
const run: Run = { id: "run-1", attributes: {}, deps: createDependencies(), signal: new AbortController().signal };

await echo.execute(run, host, board);
await router.close();

assert.equal(streamed, "hello from an engine ");
assert.equal(board.get(SESSION_RESULT)?.final_message, "hello from an engine");
console.log(streamed);
