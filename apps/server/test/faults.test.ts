import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { sweepFaults } from "./fault-sweep.ts";
import { makeFolder } from "./open-server.ts";

/** Number of kills in this test. `pnpm test:server-faults` uses more. */
const KILLS = Number(process.env["SERVER_FAULT_KILLS"] ?? 1);
const RUNS = Number(process.env["SERVER_FAULT_RUNS"] ?? 8);
const STEPS = 20;
const MS_PER_KILL = 30_000;

vi.setConfig({ testTimeout: 60_000 + KILLS * MS_PER_KILL });

test.each([
  ["resume", "goes on with the next server and completes"],
  ["stop", "is over or can be resumed"],
] as const)(
  "killed under load (%s), every accepted run %s, and clients get every event once and in order [D1] [D8]",
  async (mode, _) => {
    const state = join(await makeFolder(), "state");
    const result = await sweepFaults({ state, kills: KILLS, runs: RUNS, steps: STEPS, mode });
    console.info(JSON.stringify({ mode, ...result }));
    expect(result).toMatchObject({ kills: KILLS, accepted: RUNS });
    expect(result).toMatchObject({ lost: 0, doubled: 0, unsettled: 0, wrongStreams: 0, wrongLogs: 0 });
    if (mode === "resume") expect(result.completed).toBe(RUNS);
  },
);
