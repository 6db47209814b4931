import { type EnvironmentFactory, environmentContract } from "@switchyard/testkit";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";

/** What all cases of a row share, once it is there. */
export interface StartedRow {
  /** Opens an environment of its own for each case. */
  readonly factory: EnvironmentFactory;
  /** Ends what was started. */
  readonly stop?: (() => Promise<void>) | undefined;
}

/** One environment of the table. */
export interface EnvironmentRow {
  /** Name in the table. */
  readonly name: string;
  /** What it is proved on: `this machine`, `dockerd 29 (real)`, `fake API server`. */
  readonly component: string;
  /** Whether that is the real thing; what is not is marked in the table. */
  readonly isReal: boolean;
  /** Starts what the cases share: a server, an engine, a container. A string says why it cannot start on this machine. */
  start(): Promise<StartedRow | string>;
  /** Milliseconds that one case may take, where 30,000 are too few. */
  readonly timeoutMs?: number | undefined;
}

/** What a reporter is told of a case. */
interface RowMark {
  readonly environment: string;
  readonly component: string;
  readonly isReal: boolean;
}

declare module "vitest" {
  interface TaskMeta {
    environmentRow?: RowMark;
  }
}

// Opening, checking and giving back may each take that long.
const PHASES = 3;
const CASE_MS = 30_000;
const START_MS = 180_000;

/** Tests the whole contract on a row. What cannot start is skipped with its reason, case by case. */
export function proveEnvironment(row: EnvironmentRow): void {
  const { name, component, isReal, timeoutMs = CASE_MS } = row;
  describe(`the environment ${name} keeps the contract [loop-4.3-5]`, () => {
    let started: StartedRow | string = "it was not started";
    beforeAll(async () => {
      started = await row.start();
    }, START_MS);
    afterAll(async () => {
      if (typeof started !== "string") await started.stop?.();
    }, START_MS);
    const prove = async (id: string, { skip, task }: TestContext): Promise<void> => {
      task.meta.environmentRow = { environment: name, component, isReal };
      if (typeof started === "string") return skip(started);
      const found = environmentContract.find((one) => one.id === id);
      await found?.run(started.factory, { timeoutMs, onSkip: skip });
    };
    for (const { id, title } of environmentContract) {
      test(`${title} (${id})`, { timeout: PHASES * timeoutMs }, (context) => prove(id, context));
    }
  });
}
