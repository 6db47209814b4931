import { type EnvironmentFactory, environmentContract } from "@switchyard/testkit";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import type { CaseSample } from "./case-sample.ts";

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
  /** The cases that are run; all by default. */
  readonly sample?: CaseSample | undefined;
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

// Generous: only what hangs takes as long, also where other work keeps all processors busy.
const PHASES = 3;
const CASE_MS = 120_000;
const START_MS = 300_000;
// Shorter than what the cases sleep for.
const PATIENCE_MS = 40_000;
const PREFIX = "environment/";

/** Set to `whole` to run every case on every row, as `pnpm test:environments` does. */
const RUNS_WHOLE = process.env["ENVIRONMENT_CONTRACT"] === "whole";

/**
 * Cases that are alone while they run: they keep the processors busy, or they catch a fault only if they get their turn
 * in time. All others mostly wait, so several run at once, each in a workspace of its own.
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
  const chosen = ids.filter((id) => RUNS_WHOLE || sample === undefined || sample.includes(id));
  return chosen
    .map((id) => ({ id, isAlone: ALONE.test(id) }))
    .sort((one, other) => Number(other.isAlone) - Number(one.isAlone));
}

function patient(factory: EnvironmentFactory): EnvironmentFactory {
  return async (setting) => {
    const made = await factory(setting);
    return { patienceMs: PATIENCE_MS, ...("environment" in made ? made : { environment: made }) };
  };
}

/** Tests the contract, or the sample of it, on a row. What cannot start is skipped with its reason, case by case. */
export function proveEnvironment(row: EnvironmentRow): void {
  const { name, component, isReal } = row;
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
      await found?.run(patient(started.factory), { timeoutMs: CASE_MS, onSkip: skip });
    };
    for (const { id, isAlone } of casesOf(row)) {
      const title = environmentContract.find((one) => one.id === `${PREFIX}${id}`)?.title;
      const run = isAlone ? test : test.concurrent;
      run(`${title} (${PREFIX}${id})`, { timeout: PHASES * CASE_MS }, (context) => prove(`${PREFIX}${id}`, context));
    }
  });
}
