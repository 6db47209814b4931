import { expect, test } from "vitest";
import type { AgentName } from "./agents.ts";
import { runSuite } from "./run-suite.ts";

const SUITE = "src/engine/create-agent-engine.test.ts";
const CONVERSATION = "a run is one session over the input, and its result is on the board";
const HISTORY = "messages become the history, the last user message the input";
const INTERRUPT = "an interrupt stops the run, and the board contains the progress";
const STEERING = "a person steers and follows up through the control source";

test.for<[AgentName, string[]]>([
  ["keeps-what-was-said", [STEERING]],
  ["keeps-the-channels", [CONVERSATION, STEERING]],
])(
  "an agent that %s in the memory of its process passes its tests in one process, and fails them with a process per step",
  { timeout: 120_000 },
  async ([agent, failed]) => {
    const titles = [CONVERSATION, STEERING, HISTORY, INTERRUPT];
    const [once, always] = await Promise.all([
      runSuite(SUITE, { project: "agent", agent, titles }),
      runSuite(SUITE, { project: "always-resume", agent, titles }),
    ]);
    expect(once).toEqual({ passed: titles.length, failed: [] });
    expect(always).toEqual({ passed: titles.length - failed.length, failed });
  },
);
