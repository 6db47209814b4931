import type { Exceptions } from "@switchyard/fresh-process";

const KILLS_BY_ITSELF = "the test interrupts runs itself, too often to start a process for each step";

/** Tests that cannot run with a separate process for each step, by file and full name, with the reason. */
export const EXCEPTIONS: Exceptions = {
  "src/engine/board-allowances.test.ts": {
    "an allowed call applies to the same rules and the same run only, and never against a rule":
      "each call reads the permissions from the board, and the other tests of the file carry the board to new processes",
  },
  "src/engine/checkpoints.test.ts": {
    "boundaries > a turn is copied once: later checkpoints and the main channel share it":
      "two checkpoints share objects only in the memory of one process",
  },
  "src/engine/crash.test.ts": {
    "killed at every moment > a run without unsafe calls ends as if it had not been interrupted [D9] [D14]":
      KILLS_BY_ITSELF,
    "killed at every moment > an unsafe call takes effect at most once, and an unknown outcome is reported as such [D4] [D5]":
      KILLS_BY_ITSELF,
    "for any session and any point of interruption > without unsafe calls, board, transcript, usage and the model's view equal those of an uninterrupted run [D9] [D14]":
      KILLS_BY_ITSELF,
    "for any session and any point of interruption > with unsafe calls, none takes effect twice and none has a made-up outcome [D4] [D5]":
      KILLS_BY_ITSELF,
  },
  "src/engine/slow-hosts.test.ts": {
    "a host that takes its time > while an answer streams in gets increments that pile up joined, and none of them lost":
      "the response has 40,000 increments, which would each be sent to another process, and nothing is resumed",
  },
};
