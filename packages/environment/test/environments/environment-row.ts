import { type EnvironmentFactory, environmentContract } from "@switchyard/testkit";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import type { CaseSample } from "./case-sample.ts";

/** State that all cases of a row share after the start. */
export interface StartedRow {
  /** Opens a separate environment for each case. */
  readonly factory: EnvironmentFactory;
  /** Stops everything that was started. */
  readonly stop?: (() => Promise<void>) | undefined;
}

/** One environment of the table. */
export interface EnvironmentRow {
  /** Name in the table. */
  readonly name: string;
  /** Component it was tested with: `this machine`, `dockerd 29 (real)`, `fake API server`. */
  readonly component: string;
  /** True for a real component. Others are marked in the table. */
  readonly isReal: boolean;
  /** Starts the shared server, engine or container. Returns the reason if that is not possible on this machine. */
  start(): Promise<StartedRow | string>;
  /** The cases that are run; all by default. */
  readonly sample?: CaseSample | undefined;
}

/** Data of a case for the reporter. */
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

// The limit is generous: only a hanging case reaches it, even on a busy machine.
const PHASES = 3;
const CASE_MS = 120_000;
const START_MS = 300_000;
// Shorter than the sleeps of the cases.
const WAIT_MS = 40_000;
const PREFIX = "environment/";

/** Set to `whole` to run every case on every row, as `pnpm test:environments` does. */
const RUNS_ALL_CASES = process.env["ENVIRONMENT_CONTRACT"] === "whole";

/**
 * Cases that run alone, because they keep the processors busy, or detect a fault only if they are scheduled in time.
 * All others mostly wait, so several run concurrently, each in a separate workspace.
 */
const ALONE = new RegExp(
  `^(${[
    ...["swap-.*", "write-whole", ".*-at-once", "timeout-many", ".*-catastrophic"],
    // Programs that print without an end.
    ...["output-endless", "spawn-back-pressure", "spawn-unread", "spawn-kill-unread", "spawn-cancel"],
  ].join("|")})$`,
);

/** The cases that are run on a row, those that are alone first. */
function casesOf({ sample }: EnvironmentRow): readonly { readonly id: string; readonly isAlone: boolean }[] {
  const ids = environmentContract.map(({ id }) => id.slice(PREFIX.length));
  const chosen = ids.filter((id) => RUNS_ALL_CASES || sample === undefined || sample.includes(id));
  return chosen
    .map((id) => ({ id, isAlone: ALONE.test(id) }))
    .sort((one, other) => Number(other.isAlone) - Number(one.isAlone));
}

function patient(factory: EnvironmentFactory): EnvironmentFactory {
  return async (setting) => {
    const created = await factory(setting);
    return { toleranceMs: WAIT_MS, ...("environment" in created ? created : { environment: created }) };
  };
}

/** Tests the contract, or a sample of it, on a row. If the row cannot start, its cases are skipped with the reason. */
export function proveEnvironment(row: EnvironmentRow): void {
  const { name, component, isReal } = row;
  describe(`environment ${name} fulfils the contract [loop-4.3-5]`, () => {
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
      await found?.run(patient(started.factory), { timeoutMs: CASE_MS, onSkip: skip });
    };
    for (const { id, isAlone } of casesOf(row)) {
      const title = environmentContract.find((one) => one.id === `${PREFIX}${id}`)?.title;
      const run = isAlone ? test : test.concurrent;
      run(`${title} (${PREFIX}${id})`, { timeout: PHASES * CASE_MS }, (context) => prove(`${PREFIX}${id}`, context));
    }
  });
}
