import { beforeAll, expect, test } from "vitest";
import type { AgentName } from "./agents.ts";
import { runSuite } from "./run-suite.ts";

const SUITE = "src/engine/create-agent-engine.test.ts";
const CONVERSATION = "a run is one session over the input, and its result is on the board";
const HISTORY = "messages become the history, the last user message the input";
const INTERRUPT = "an interrupt stops the run, and the board contains the progress";
const STEERING = "a person steers and follows up through the control source";

const TITLES = [CONVERSATION, STEERING, HISTORY, INTERRUPT];
const FAULTY: [AgentName, string[]][] = [
  ["keeps-what-was-said", [STEERING]],
  ["keeps-the-channels", [CONVERSATION, STEERING]],
];

let reportOf: Awaited<ReturnType<typeof runSuite>>;

beforeAll(async () => {
  reportOf = await runSuite(SUITE, { agents: FAULTY.map(([agent]) => agent), titles: TITLES });
});

test.for(FAULTY)(
  "an agent that %s in the memory of its process passes its tests in one process, and fails them with a process per step",
  ([agent, failed]) => {
    expect(reportOf(agent, "agent")).toEqual({ passed: TITLES.length, failed: [] });
    expect(reportOf(agent, "always-resume")).toEqual({ passed: TITLES.length - failed.length, failed });
  },
);
