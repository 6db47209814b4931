import { expect, test } from "vitest";
import type { AgentName } from "./agents.ts";
import { runSuite } from "./run-suite.ts";

const SUITE = "src/engine/create-agent-engine.test.ts";
const CONVERSATION = "a run is one session over the input, and its result is on the board";
const STEERING = "a person steers and follows up through the control source";

test.for<[AgentName, string[]]>([
  ["keeps-what-was-said", [STEERING]],
  ["keeps-the-channels", [CONVERSATION, STEERING]],
])(
  "an agent that %s in the memory of its process passes its suite as ever, and fails it with a process per step",
  { timeout: 120_000 },
  async ([agent, failed]) => {
    const [once, always] = await Promise.all([
      runSuite(SUITE, { project: "agent", agent }),
      runSuite(SUITE, { project: "always-resume", agent }),
    ]);
    expect(once).toEqual({ passed: expect.any(Number), failed: [] });
    expect(always).toEqual({ passed: once.passed - failed.length, failed });
  },
);
