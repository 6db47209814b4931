import type { Engine } from "@switchyard/contracts";
import { SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";

/** Responds with the task, and reports one token per word. */
export const echoEngine: Engine = defineEngine(async (_run, host, board) => {
  const task = board.get(SESSION_INPUT)?.messages.at(-1)?.content ?? "";
  const tokens = task.split(" ").length;
  await host.reportUsage({ inputTokens: tokens, outputTokens: tokens, totalTokens: 2 * tokens });
  board.set(SESSION_RESULT, { exit_code: 0, final_message: task });
});
