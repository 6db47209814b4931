import { join } from "node:path";
import type { TrialKey, TrialResult } from "../results/trial-result.ts";
import { keyOf } from "../results/trial-result.ts";
import { RESULT_FILES, writeAtomically } from "../results/write-results.ts";
import type { EvalProgress } from "../run/eval-progress.ts";
import { pause } from "./pause.ts";
import { type LiveState, renderLivePage } from "./render-live-page.ts";

/** Minimum time between two versions of the live page, in milliseconds. */
const INTERVAL_MS = 1_000;
/**
 * Time after which the page is written even if nothing has changed, in milliseconds. Readers can thus tell that the
 * evaluation is still running.
 */
const HEARTBEAT_MS = 15_000;
/** Maximum share of the evaluation's time that may be spent on rendering the live page. */
const MAX_LOAD = 0.1;

/** Options for `openLivePage`. */
export interface LivePageOptions extends Pick<LiveState, "name" | "planned" | "concurrency" | "mayStopEarly"> {
  /** Output folder of the evaluation. */
  readonly output: string;
  /** Results of an earlier process that are reused. */
  readonly stored: readonly TrialResult[];
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Page of a running evaluation. Disposing it stops the updates; afterwards, the report can replace the page. */
export interface LivePage extends AsyncDisposable {
  /** Adds a progress event. */
  readonly show: (progress: EvalProgress) => void;
}

/**
 * Writes the page of a running evaluation to `report.html`, and again when it has changed, at most once per second. If
 * the page cannot be written, the updates end and the evaluation continues. Writing the report at the end then fails
 * with a clear error.
 */
export function openLivePage({ output, stored, now, ...about }: LivePageOptions): LivePage {
  const path = join(output, RESULT_FILES.page);
  const finished = [...stored];
  const running = new Map<string, { trial: TrialKey; startedAt: number }>();
  const startedAt = now();
  const closing = new AbortController();
  let isChanged = true;
  const write = async (): Promise<void> => {
    isChanged = false;
    await writeAtomically(path, [
      renderLivePage({ ...about, startedAt, now: now(), finished, running, reused: stored.length }),
    ]);
  };
  const update = async (): Promise<void> => {
    let writtenAt = performance.now();
    await write();
    while (!closing.signal.aborted) {
      const took = performance.now() - writtenAt;
      await pause(Math.max(INTERVAL_MS, took / MAX_LOAD), closing.signal);
      const isDue = isChanged || performance.now() - writtenAt > HEARTBEAT_MS;
      if (closing.signal.aborted || !isDue) continue;
      writtenAt = performance.now();
      await write();
    }
  };
  const updates = update().catch(() => undefined);
  return {
    show: (progress) => {
      isChanged = true;
      if (progress.type === "trial_started")
        running.set(keyOf(progress.trial), { trial: progress.trial, startedAt: now() });
      if (progress.type === "trial_finished") {
        running.delete(keyOf(progress.result));
        finished.push(progress.result);
      }
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await updates;
    },
  };
}
