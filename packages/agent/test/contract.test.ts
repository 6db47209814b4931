import { type Checkpoint, type Client, DEPENDENCY, EngineError, SESSION_INPUT } from "@switchyard/contracts";
import {
  answer,
  type EngineSituation,
  type EngineSubject,
  engineContract,
  expectInapplicable,
  failure,
  inertEnvironment,
  plainBoard,
  plainDependencies,
  type ResumerSubject,
  recordingHost,
  resumerContract,
  type ScriptStep,
  scriptedClient,
  text,
  toolCall,
  toolCalls,
} from "@switchyard/testkit";
import { describe, inject, test } from "vitest";
import { createAnthropicProfile } from "../src/index.ts";
import { createEngine } from "./create-engine.ts";
import { counting } from "./run-session.ts";

/** Time limit of one test, in milliseconds. Long, because a test may start many processes. */
const TIMEOUT_MS = 300_000;

const CALLS = [
  { name: "look", arguments: {} },
  { name: "look", arguments: {} },
];
const STEPS: readonly ScriptStep[] = [
  answer(text("Let me look."), toolCalls(CALLS)),
  toolCall("put"),
  text("All is well."),
];

/** Creates a client that never responds, and rejects when the request is aborted. */
function silentClient(): Client {
  const hang = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  return {
    complete: ({ signal }) => hang(signal),
    // biome-ignore lint/correctness/useYield: the generator waits forever before its first value
    async *stream({ signal }) {
      await hang(signal);
    },
    close: async () => {},
  };
}

function situation(client: Client): EngineSituation {
  const tools = [counting("look", "readonly"), counting("put", "idempotent")];
  const profile = createAnthropicProfile({ model: "claude" });
  return {
    engine: createEngine({ client, profile, tools, version: "1" }),
    dependencies: () => [[DEPENDENCY.environment, inertEnvironment()]],
  };
}

function agentSubject(): EngineSubject {
  return {
    ...situation(scriptedClient(STEPS, { follows: "conversation" })),
    waiting: situation(silentClient()),
    failing: situation(
      scriptedClient([failure(new EngineError("model.missing_key", { provider: "anthropic", variable: "KEY" }))]),
    ),
  };
}

// Cases of the contract that do not apply: the agent sends no prompts here, and it supports resuming.
const INAPPLICABLE = [
  "engine/prompt-refused",
  "engine/prompt-answered",
  "engine/prompt-cancelled",
  "engine/asks-as-claimed",
  "engine/resume-unsupported",
];

/**
 * Cases that run also with a process for each step: those about what goes on from step to step (checkpoints, resumes,
 * ids, usage, order of events, results), and about the interruption of a run that has passed steps. The others look at
 * one call or one process, or at runs that never reach a checkpoint, or show less than another case: `resume-result`
 * also resumes from each checkpoint. `ALWAYS_RESUME=whole` runs all of them.
 */
const STEPPED = [
  ...["engine/resume-board", "engine/resume-result", "engine/resume-events"],
  ...["engine/checkpoint-times", "engine/checkpoint-refused-stops", "engine/envelopes", "engine/usage-counts"],
  ...["engine/steps-paired", "engine/interrupt-at-any-call"],
  ...["engine/budget-stops-spending", "engine/suggestion", "resumer/agrees"],
];

/** Returns the cases to run in this project: in always-resume, a sample. */
function chosen<Case extends { readonly id: string }>(cases: readonly Case[]): readonly Case[] {
  const runsAll = inject("engineProgram") === undefined || process.env["ALWAYS_RESUME"] === "whole";
  return runsAll ? cases : cases.filter(({ id }) => STEPPED.includes(id));
}

test("the sample of cases that run with a process for each step exists", ({ expect }) => {
  const ids = [...engineContract, ...resumerContract].map(({ id }) => id);
  expect(STEPPED.filter((id) => !ids.includes(id))).toEqual([]);
});

describe("the agent satisfies the contract of engines", () => {
  for (const one of chosen(expectInapplicable(engineContract, INAPPLICABLE)))
    test(one.title, ({ skip }) => one.run(agentSubject, { onSkip: skip, timeoutMs: TIMEOUT_MS }));
});

/** Returns the agent's resume check, with the checkpoint after the first model response. */
async function agentResumer(): Promise<ResumerSubject> {
  const { engine, dependencies } = situation(scriptedClient(STEPS, { follows: "conversation" }));
  const [host, board] = [recordingHost(), plainBoard()];
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "Look." }] });
  const deps = plainDependencies(await dependencies?.());
  await engine.execute({ id: "run-1", attributes: {}, deps, signal: new AbortController().signal }, host, board);
  const checkpoint = stored(host.checkpoints[0]);
  const canResume = (from: Checkpoint): void => engine.canResume?.(from);
  return {
    resumer: { canResume },
    checkpoint,
    malformed: [
      { ...checkpoint, payload: undefined },
      { ...checkpoint, payload: { boundary: "nowhere" } },
    ],
    situation: { engine, dependencies },
  };
}

function stored(checkpoint: Checkpoint | undefined): Checkpoint {
  if (checkpoint === undefined) throw new Error("The run has no checkpoint.");
  const { vars, channels } = checkpoint.board;
  return structuredClone({ ...checkpoint, board: { vars, channels } });
}

describe("the agent satisfies the contract of resume checks", () => {
  for (const one of chosen(resumerContract))
    test(one.title, ({ skip }) => one.run(agentResumer, { onSkip: skip, timeoutMs: TIMEOUT_MS }));
});
