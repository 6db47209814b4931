import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DEPENDENCY,
  type Engine,
  EngineError,
  type ExecutionEnvironment,
  isExecutionEnvironment,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { onTestFinished } from "vitest";
import type { EvalProgress } from "../src/index.ts";
import { parseEvalSuite, type RunEvalOptions, runEval, selectSuite } from "../src/index.ts";

/** Creates a folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "eval-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Data about its session that a fake engine receives. */
interface Work {
  input: SessionInput;
  runId: string;
  attributes: Readonly<Record<string, string>>;
  environment: ExecutionEnvironment;
  signal: AbortSignal;
  interrupted: Promise<unknown>;
}

/** Creates an engine that runs a function and returns its result. */
export function engineOf(work: (work: Work) => Promise<Partial<SessionResult> | string>): Engine {
  return defineEngine(async (run, host, board) => {
    const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
    const input = board.get(SESSION_INPUT) ?? { messages: [] };
    const interrupted = host.interrupts()?.receive(run.signal) ?? new Promise(() => undefined);
    const { id: runId, attributes, signal } = run;
    const outcome = await work({ input, runId, attributes, environment, signal, interrupted });
    const result = typeof outcome === "string" ? { final_message: outcome } : outcome;
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "", ...result });
  });
}

const ENV = { PATH: process.env["PATH"] };

/** Runs an evaluation with these engines, in new folders. */
export async function evaluate(
  yaml: string,
  engines: Readonly<Record<string, Engine>>,
  options: Partial<RunEvalOptions> & { suiteFolder?: string; selection?: Parameters<typeof selectSuite>[1] } = {},
) {
  const { suiteFolder = await makeFolder(), selection = {}, ...more } = options;
  const output = more.output ?? (await makeFolder());
  const parsed = await parseEvalSuite(yaml, join(suiteFolder, "eval.yaml"));
  const suite = await selectSuite(parsed, selection);
  const progress: EvalProgress[] = [];
  const results = await runEval(suite, {
    openEngine: async (spec) => {
      const engine = engines[String(spec)];
      if (engine === undefined)
        throw new EngineError("engine.not_found", { engine: spec, known: Object.keys(engines) });
      return { name: String(spec), engine };
    },
    environment: (root) => ({ type: "local", root, env: ENV }),
    onProgress: (event) => progress.push(event),
    ...more,
    output,
  });
  const outcomes = results.trials.map(({ outcome }) => outcome);
  return { results, outcomes, output, progress };
}

/** Reads the text of a file. */
export const read = (...path: string[]): Promise<string> => readFile(join(...path), "utf8");
