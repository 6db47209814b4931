import { type Board, DEPENDENCY, type Engine, EngineError, type Host, type Run, textOf } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";

/** Options of a small engine. */
export interface StepOptions {
  readonly steps: number;
  /** Called in each step with its number. The run awaits its result. */
  readonly onStep?: ((step: number, pid: number) => unknown) | undefined;
}

type Body = (run: Run, host: Host, board: Board) => Promise<void>;

function engineOf(body: Body): Engine {
  return defineEngine(body, { supportsResume: true, emitsCheckpoint: true });
}

function keep(run: Run, host: Host, board: Board): Promise<void> {
  const checkpoint = { execId: run.id, board: board.snapshot(), timestamp: new Date(0).toISOString() };
  return host.checkpoint(checkpoint);
}

/** Counts on its board. */
function boardEngine({ steps, onStep }: StepOptions): Engine {
  return engineOf(async (run, host, board) => {
    for (let step = Number(board.getVar("step") ?? 0); step < steps; step += 1) {
      await onStep?.(step, process.pid);
      board.setVar("step", step + 1);
      await keep(run, host, board);
    }
  });
}

/** Counts in the memory of its process, and loses the count when it dies. */
function memoryEngine({ steps, onStep }: StepOptions): Engine {
  let step = 0;
  return engineOf(async (run, host, board) => {
    for (; step < steps; step += 1) {
      await onStep?.(step, process.pid);
      await keep(run, host, board);
    }
  });
}

/** Uses every member of a run and host. */
function curiousEngine({ onStep }: StepOptions): Engine {
  return engineOf(async (run, host, board) => {
    const environment = run.deps.get(DEPENDENCY.environment);
    board.setVar("name", Reflect.get(Object(environment), "name"));
    board.setVar("attributes", run.attributes);
    board.setVar("isInterrupted", host.interrupts()?.tryReceive() !== undefined);
    const reply = await host.askUser({ parts: [{ type: "text", text: "Which?" }] }, { signal: run.signal });
    board.setVar("reply", textOf(reply));
    await host.reportUsage({ inputTokens: 1, outputTokens: 2, totalTokens: 3 });
    await onStep?.(0, process.pid);
    await new Promise((_, reject) => {
      run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
      void onStep?.(1, process.pid);
    });
  });
}

/** Exits its process by itself. */
function dyingEngine(): Engine {
  return engineOf(async () => process.exit(7));
}

/** Fails with an error that has a cause. */
function failingEngine(): Engine {
  return engineOf(() =>
    Promise.reject(new EngineError("llm.server_error", { status: 500 }, { cause: new TypeError("why") })),
  );
}

/** Engines by name. */
export const ENGINES = {
  board: boardEngine,
  memory: memoryEngine,
  curious: curiousEngine,
  dying: dyingEngine,
  failing: failingEngine,
} satisfies Readonly<Record<string, (options: StepOptions) => Engine>>;
