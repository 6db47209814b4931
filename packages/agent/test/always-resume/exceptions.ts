import type { Exceptions } from "@switchyard/fresh-process";

const KILLS_BY_ITSELF =
  "it cuts runs off at every moment by itself, with more attempts than there is time for processes";

/** Tests that cannot run with a separate process for each step, by file and full name, with the reason. */
export const EXCEPTIONS: Exceptions = {
  "src/engine/checkpoints.test.ts": {
    "boundaries > a turn is copied once: later checkpoints and the main channel share it":
      "two checkpoints share objects only in the memory of one process",
  },
  "src/engine/crash.test.ts": {
    "killed at every moment > a run without unsafe calls ends as if nothing had been [D9] [D14]": KILLS_BY_ITSELF,
    "killed at every moment > an unsafe call takes effect at most once, and what nobody knows is told as that [D4] [D5]":
      KILLS_BY_ITSELF,
    "whatever the session and wherever it is cut off > without unsafe calls, board, transcript, usage and the model's view are those of an uninterrupted run [D9] [D14]":
      KILLS_BY_ITSELF,
    "whatever the session and wherever it is cut off > with unsafe calls, none takes effect twice and none has a made-up outcome [D4] [D5]":
      KILLS_BY_ITSELF,
  },
  "src/engine/slow-hosts.test.ts": {
    "a host that takes its time > while an answer streams in gets increments that pile up joined, and none of them lost":
      "its one answer is sent to another process increment by increment, 40,000 of them, and nothing is resumed",
  },
};
