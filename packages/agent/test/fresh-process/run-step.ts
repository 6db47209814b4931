import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Checkpoint,
  DEPENDENCY,
  EngineError,
  type Host,
  SESSION_INPUT,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { createBoard, createDependencies, loadAndResume } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openFileCheckpointStore } from "@switchyard/stores/file";
import { createAgentEngine, createAnthropicProfile } from "../../src/index.ts";
import { conversationClient } from "../conversation-client.ts";
import { mayEndAt } from "../create-engine.ts";
import { isScenarioName, SCENARIOS, type Scenario } from "./scenarios.ts";

/** Where a step plays, and where what is told of it is kept. */
export interface StepPlace {
  readonly root: string;
  readonly state: string;
  /** Called when a checkpoint is kept that the process may end at. */
  readonly onStep: () => void;
}

function append(path: string, value: unknown): void {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

/** A host whose record is in files: whatever a process did not write down is lost with it. */
function fileHost({ state, onStep }: StepPlace, mayEnd: (checkpoint: Checkpoint) => boolean): Host {
  const store = openFileCheckpointStore({ directory: join(state, "checkpoints") });
  return {
    publish: async (envelope) => append(join(state, "events.jsonl"), { ...envelope, pid: process.pid }),
    interrupts: () => undefined,
    askUser: () => Promise.reject(new EngineError("prompt.unavailable")),
    reportUsage: async (usage) => append(join(state, "usages.jsonl"), usage),
    checkpoint: async (checkpoint) => {
      await store.save(checkpoint);
      if (mayEnd(checkpoint)) onStep();
    },
  };
}

/** Plays a scenario from its newest checkpoint on; its last step writes the outcome. */
export async function playOn(scenario: Scenario, place: StepPlace): Promise<void> {
  const { root, state } = place;
  await using environment = await openLocalEnvironment({ root, env: { PATH: process.env["PATH"] ?? "" } });
  const profile = createAnthropicProfile({ model: "claude" });
  const options = { client: conversationClient({ answers: scenario.answers }), profile };
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }], ...scenario.input });
  const run = {
    id: "run-1",
    attributes: { "agent.id": "agent" },
    deps: createDependencies([[DEPENDENCY.environment, environment]]),
    signal: new AbortController().signal,
  };
  const store = openFileCheckpointStore({ directory: join(state, "checkpoints") });
  const attempt = existsSync(join(state, "events.jsonl")) ? 2 : 1;
  const host = fileHost(place, mayEndAt(options));
  await loadAndResume(createAgentEngine(options), { run, host, store, board, attempt, signal: "crash" });
  const outcome = { result: board.get(SESSION_RESULT), board: board.snapshot() };
  writeFileSync(join(state, "outcome.json"), JSON.stringify(outcome));
}

/** One process: it kills itself as soon as a step is kept. */
export async function runStep([name = "", root = "", state = ""]: readonly string[]): Promise<void> {
  if (!isScenarioName(name)) throw new Error(`There is no scenario ${name}.`);
  await playOn(SCENARIOS[name], { root, state, onStep: () => process.kill(process.pid, "SIGKILL") });
}
