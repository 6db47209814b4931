// Tests an engine with the fakes of the testkit, under `node --test`.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "@switchyard/contracts";
import { EngineError, SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { recordingHost } from "@switchyard/testkit";
import { echoEngine } from "./echo-engine.ts";

const run: Run = { id: "run-1", attributes: {}, deps: createDependencies(), signal: new AbortController().signal };

test("answers with the task and reports its tokens", async () => {
  const host = recordingHost();
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "say it again" }] });
  await echoEngine.execute(run, host, board);
  assert.equal(board.get(SESSION_RESULT)?.final_message, "say it again");
  assert.equal(host.totalUsage.totalTokens, 6);
  assert.deepEqual(host.types(), ["run_start", "run_end"]);
});

test("stops before it begins when it was interrupted", async () => {
  const host = recordingHost({ interrupt: { cause: "user_cancel" } });
  const board = createBoard();
  await assert.rejects(echoEngine.execute(run, host, board), (error) => EngineError.is(error, "run.interrupted"));
  assert.equal(board.get(SESSION_RESULT), undefined);
});
