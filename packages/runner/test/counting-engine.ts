import {
  boardKey,
  DEPENDENCY,
  EngineError,
  type Host,
  isExecutionEnvironment,
  type Run,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { createEnvelope, defineEngine, type EngineOptions, getDependency } from "@switchyard/engine";

const STEP = boardKey<number>("step");

/** Additional behaviour of a counting engine. */
export interface CountingOptions extends EngineOptions {
  /** Number of its steps. */
  steps?: number;
  /** Called before each step (1-based). May throw or wait. */
  before?: (step: number, run: Run, host: Host) => unknown;
  /** Called before each checkpoint. May throw. */
  beforeCheckpoint?: (step: number) => void;
}

/** An engine of steps: each appends its number to a file, reports usage, and ends with a checkpoint. */
export function countingEngine({ steps = 3, before, beforeCheckpoint, ...options }: CountingOptions = {}) {
  return defineEngine(
    async (run, host, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const attempt = run.resume?.attempt ?? 1;
      const marks = { runId: run.id, attempt, now: Date.now, createId: () => crypto.randomUUID() };
      for (let step = (board.get(STEP) ?? 0) + 1; step <= steps; step++) {
        await before?.(step, run, host);
        if (run.signal.aborted) throw run.signal.reason;
        if (host.interrupts()?.tryReceive() !== undefined) throw new DOMException("stopped", "AbortError");
        const written = (await environment.exists("steps.txt")) ? await environment.readFile("steps.txt") : "";
        await environment.writeFile("steps.txt", `${written}${step}\n`);
        const usage = { inputTokens: 10, outputTokens: 1, totalTokens: 11, responseId: `answer-${step}` };
        await host.publish(createEnvelope("usage_reported", { response_id: usage.responseId, usage }, marks));
        await host.reportUsage(usage);
        beforeCheckpoint?.(step);
        board.set(STEP, step);
        const timestamp = new Date().toISOString();
        await host.checkpoint({ execId: run.id, step: `step ${step}`, board: board.snapshot(), timestamp });
      }
      board.set(SESSION_RESULT, { exit_code: 0, final_message: `attempt ${attempt}` });
    },
    { name: "counter", supportsResume: true, emitsCheckpoint: true, ...options },
  );
}

/** An error that ends a run which can be resumed. */
export function mishap(): EngineError {
  return new EngineError("llm.network", { url: "http://127.0.0.1:9", problem: "refused" });
}
