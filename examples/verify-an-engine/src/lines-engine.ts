import type { Checkpoint, Engine } from "@switchyard/contracts";
import { EngineError, SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { assertRunning, createCheckpoint, defineEngine } from "@switchyard/engine";

const VERSION = "1";

function canResume({ specVersion = "" }: Checkpoint): void {
  if (specVersion !== "" && specVersion !== VERSION) {
    throw new EngineError("checkpoint.drifted", { found: specVersion, expected: VERSION });
  }
}

/** Counts the words of its task, line by line. It stores a checkpoint after each line and can be resumed from it. */
export const linesEngine: Engine = defineEngine(
  async (run, host, board) => {
    const lines = (board.get(SESSION_INPUT)?.messages.at(-1)?.content ?? "").split("\n");
    for (let index = run.resumeFrom?.iteration ?? 0; index < lines.length; index += 1) {
      assertRunning(run, host);
      board.appendSliceVar("counts", lines[index]?.split(" ").length ?? 0);
      await host.checkpoint(createCheckpoint(run, board, { iteration: index + 1, specVersion: VERSION }));
    }
    board.set(SESSION_RESULT, { exit_code: 0, final_message: JSON.stringify(board.getVar("counts")) });
  },
  { name: "lines", supportsResume: true, emitsCheckpoint: true, canResume },
);

/** The same engine, but it waits until it is stopped. Used by test cases that stop an engine while it works. */
export const patientEngine: Engine = defineEngine(async (run, host) => {
  await host.interrupts()?.receive(run.signal);
  assertRunning(run, host);
});
