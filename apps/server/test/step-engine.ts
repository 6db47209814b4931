import { boardKey, type Engine, SESSION_RESULT } from "@switchyard/contracts";
import { createEnvelope, defineEngine } from "@switchyard/engine";

const STEP = boardKey<number>("step");

/** Options of `stepEngine`. */
export interface StepOptions {
  readonly steps?: number;
  /** Called with the number of each step before it runs, starting at 1. May throw or wait. */
  readonly before?: (step: number, runId: string) => unknown;
  /** Whether the engine saves checkpoints, so that its runs can be resumed. */
  readonly keepsCheckpoints?: boolean;
}

/** Creates an engine that runs a number of steps. Each step publishes an event and saves a checkpoint. */
export function stepEngine({ steps = 3, before, keepsCheckpoints = true }: StepOptions = {}): Engine {
  return defineEngine(
    async (run, host, board) => {
      const attempt = run.resume?.attempt ?? 1;
      const marks = { runId: run.id, attempt, now: Date.now, createId: () => crypto.randomUUID() };
      for (let step = (board.get(STEP) ?? 0) + 1; step <= steps; step++) {
        await before?.(step, run.id);
        if (run.signal.aborted) throw run.signal.reason;
        if (host.interrupts()?.tryReceive() !== undefined) throw new DOMException("stopped", "AbortError");
        await host.publish(createEnvelope("step_start", { step: `step ${step}` }, marks));
        board.set(STEP, step);
        const timestamp = new Date().toISOString();
        if (keepsCheckpoints) {
          await host.checkpoint({ execId: run.id, step: `step ${step}`, board: board.snapshot(), timestamp });
        }
      }
      board.set(SESSION_RESULT, { exit_code: 0, final_message: `attempt ${attempt}` });
    },
    { name: "served", supportsResume: keepsCheckpoints, emitsCheckpoint: keepsCheckpoints },
  );
}

/** Creates a promise that stays pending until `open` is called. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
