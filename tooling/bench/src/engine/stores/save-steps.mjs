// @ts-check
import { createBoard } from "@switchyard/engine";
import { changeOf } from "./bench-store.mjs";

/** @import { BoardSnapshot, RunWriter } from "@switchyard/contracts" */

/**
 * Makes the steps of a run, each with one change and one checkpoint.
 * @param {RunWriter} writer
 * @param {BoardSnapshot} [start] the board at the beginning; an empty one without it
 * @returns {(text?: string) => Promise<void>} makes the next step
 */
export function saveSteps(writer, start) {
  const board = createBoard(start);
  let step = 0;
  return async (text) => {
    board.setVar("output", text ?? changeOf(step));
    step += 1;
    const timestamp = new Date(1_767_225_600_000 + step).toISOString();
    await writer.save({ execId: writer.runId, step: "tools", iteration: step, board: board.snapshot(), timestamp });
  };
}
