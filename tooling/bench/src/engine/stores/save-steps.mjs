// @ts-check
import { createBoard } from "@switchyard/engine";
import { changeOf } from "./bench-store.mjs";

/** @import { BoardSnapshot, Checkpoint, RunWriter } from "@switchyard/contracts" */

/**
 * Returns a function that creates the checkpoints of a run, each with one change.
 * @param {string} execId
 * @param {BoardSnapshot} [start] the board at the beginning; an empty one without it
 * @returns {(text?: string) => Checkpoint} makes the next one
 */
export function checkpointSteps(execId, start) {
  const board = createBoard(start);
  let step = 0;
  return (text) => {
    board.setVar("output", text ?? changeOf(step));
    step += 1;
    const timestamp = new Date(1_767_225_600_000 + step).toISOString();
    return { execId, step: "tools", iteration: step, board: board.snapshot(), timestamp };
  };
}

/**
 * Returns a function that creates the steps of a run, each with one change and one checkpoint.
 * @param {RunWriter} writer
 * @param {BoardSnapshot} [start] the board at the beginning; an empty one without it
 * @returns {(text?: string) => Promise<void>} makes the next step
 */
export function saveSteps(writer, start) {
  const next = checkpointSteps(writer.runId, start);
  return (text) => writer.save(next(text));
}
