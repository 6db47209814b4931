import {
  ATTRIBUTE,
  type Board,
  type Checkpoint,
  EngineError,
  type Host,
  hasErrorClass,
  type Run,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { type EngineSubject, engineContract, expectInapplicable } from "@switchyard/testkit";
import { describe, test } from "vitest";
import {
  assertRunning,
  createCheckpoint,
  createEnvelope,
  defineEngine,
  type EngineBody,
  type EngineOptions,
  type EnvelopeOptions,
  emitStreamToken,
  getDependency,
  withCapabilities,
} from "../src/index.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

const WORDS = ["one", "two", "three"];
const VERSION = "words-1";
const SUFFIX = "words.suffix";

/** Special behaviour of the engine at its second step. */
type Special = (run: Run, host: Host) => Promise<void>;

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function marksOf(run: Run, word: string): EnvelopeOptions {
  const actor = `${run.attributes[ATTRIBUTE.agentId] ?? "words"}.node.${word}`;
  const attempt = run.resume?.attempt ?? 1;
  return { runId: run.id, actor, attempt, now: Date.now, createId: () => crypto.randomUUID() };
}

async function quietly(publishing: Promise<void>): Promise<void> {
  await publishing.catch(() => undefined);
}

/** Executes one step: an increment, a usage report and a checkpoint. */
async function sayWord(
  run: Run,
  host: Host,
  { board, index, special }: { board: Board; index: number; special: Special },
) {
  const word = WORDS[index] ?? "";
  const marks = marksOf(run, word);
  const step = { step: marks.actor ?? word };
  await quietly(host.publish(createEnvelope("step_start", step, marks)));
  try {
    if (index === 1) await special(run, host);
    await quietly(emitStreamToken(host, word, marks));
    await host.reportUsage({ inputTokens: 1, outputTokens: 1, totalTokens: 2 }).catch((error: unknown) => {
      if (hasErrorClass(error, "budget_exceeded")) throw error;
    });
    board.appendSliceVar("said", word + getDependency(run.deps, SUFFIX, isText));
    const place = { step: word, iteration: index + 1, payload: { said: index + 1 }, specVersion: VERSION };
    await host.checkpoint(createCheckpoint(run, board, place));
  } catch (error) {
    await quietly(host.publish(createEnvelope("step_error", step, marks)));
    throw error;
  }
  await quietly(host.publish(createEnvelope("step_complete", step, marks)));
}

function saysWords(special: Special): EngineBody {
  return async (run, host, board) => {
    getDependency(run.deps, SUFFIX, isText);
    for (let index = run.resumeFrom?.iteration ?? 0; index < WORDS.length; index += 1) {
      assertRunning(run, host);
      await sayWord(run, host, { board, index, special });
    }
    board.set(SESSION_RESULT, { exit_code: 0, final_message: JSON.stringify(board.getVar("said")) });
  };
}

function canResume({ specVersion = "", payload }: Checkpoint): void {
  if (specVersion !== "" && specVersion !== VERSION) {
    throw new EngineError("checkpoint.drifted", { found: specVersion, expected: VERSION });
  }
  if (typeof payload !== "object" || payload === null || !("said" in payload)) {
    throw new EngineError("checkpoint.drifted", { found: "a checkpoint without words", expected: VERSION });
  }
}

const OPTIONS: EngineOptions = {
  name: "words",
  supportsResume: true,
  emitsCheckpoint: true,
  requiredDependencies: [SUFFIX],
  canResume,
  suggestCheckpoint: () => {},
};

const waits: Special = async (run, host) => {
  await host.interrupts()?.receive(run.signal);
  assertRunning(run, host);
};

const asks: Special = async (run, host) => {
  await host.askUser({ parts: [{ type: "text", text: "Go on?" }] }, { signal: run.signal });
};

const fails: Special = async () => {
  throw new TypeError("no more words");
};

function wordsSubject(
  wrap: (engine: ReturnType<typeof defineEngine>) => ReturnType<typeof defineEngine>,
): EngineSubject {
  const dependencies = (): [string, string][] => [
    [SUFFIX, "!"],
    ["words.unused", "?"],
  ];
  const situation = (special: Special, options: EngineOptions = OPTIONS): EngineSubject => {
    return { engine: wrap(defineEngine(saysWords(special), options)), dependencies };
  };
  return {
    ...situation(async () => {}),
    waiting: situation(waits),
    failing: situation(fails),
    asking: situation(asks, { ...OPTIONS, emitsUserPrompt: true }),
  };
}

describe("an engine with all capabilities fulfils the contract", () => {
  for (const one of expectInapplicable(engineContract, ["engine/resume-unsupported"])) {
    test(one.title, ({ skip }) =>
      one.run(() => wordsSubject((engine) => engine), { onSkip: skip, timeoutMs: CASE_MS }),
    );
  }
});

describe("an engine in a wrapper fulfils the contract", () => {
  const wrap = (engine: ReturnType<typeof defineEngine>) => withCapabilities(engine, engine.capabilities?.() ?? {});
  for (const one of expectInapplicable(engineContract, ["engine/suggestion", "engine/resume-unsupported"])) {
    test(one.title, ({ skip }) => one.run(() => wordsSubject(wrap), { onSkip: skip, timeoutMs: CASE_MS }));
  }
});

// It asks no questions, uses no budget, never waits and has no checkpoints.
const WITHOUT_A_BODY = [
  "engine/failure-classified",
  "engine/steps-paired",
  "engine/actor-of-agent",
  "engine/increments",
  "engine/interrupt-wakes",
  "engine/abort-wakes",
  "engine/usage-counts",
  "engine/usage-fails",
  "engine/budget-ends",
  "engine/budget-stops-spending",
  "engine/prompt-refused",
  "engine/prompt-answered",
  "engine/prompt-cancelled",
  "engine/missing-dependency",
  "engine/asks-as-claimed",
  "engine/suggestion",
  "engine/checkpoint-of-run",
  "engine/checkpoint-plain",
  "engine/checkpoint-times",
  "engine/checkpoint-attributes",
  "engine/checkpoint-apart",
  "engine/checkpoint-refused",
  "engine/checkpoint-refused-stops",
  "engine/resume-as-claimed",
  "engine/resume-through-json",
  "engine/resume-board",
  "engine/resume-result",
  "engine/resume-events",
  "engine/resume-drift",
];

describe("an engine without a body fulfils the contract", () => {
  for (const one of expectInapplicable(engineContract, WITHOUT_A_BODY))
    test(one.title, ({ skip }) => one.run(() => defineEngine(), { onSkip: skip, timeoutMs: CASE_MS }));
});
