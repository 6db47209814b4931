import { EngineError, type SessionHandle, type SessionInput, type SessionReport } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import { secretsFromEnv } from "../agent/secrets-from-env.ts";
import { createRunId } from "../run-files/run-id.ts";
import { startSession } from "../session/start-session.ts";
import type { StartSessionOptions } from "../session/start-session-options.ts";
import { defaultStateDirectory, homeFolder } from "./default-state-directory.ts";
import { type OpenedRunEngine, openRunEngine } from "./open-run-engine.ts";
import { createRunHandle, type RunHandle } from "./run-handle.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * Runs a task: opens the engine and the environment, starts a session, and closes both when the run ends. Returns at
 * once. `await` the handle for the report, or iterate over it for the events while the run works.
 *
 * The handle rejects only if the run cannot be started: with `engine.*`, `model.*`, `config.*` or `input.unreadable` if
 * the engine cannot be opened, and with the errors of {@link startSession}. Everything that happens later is part of
 * the report.
 */
export function run(options: RunOptions): RunHandle {
  const runId = options.runId ?? createRunId((options.now ?? Date.now)());
  return createRunHandle(runId, start({ ...options, runId }));
}

async function start(options: RunOptions): Promise<SessionHandle> {
  const input = toInput(options);
  const opened = await openRunEngine(options);
  try {
    const session = await startSession(input, toSessionOptions(options, opened));
    return { ...session, result: closeAfter(session.result, opened) };
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

function toInput({ prompt, model, maxTurns, timeoutSeconds }: RunOptions): SessionInput {
  const given: unknown = prompt;
  if (typeof given !== "string" || given.trim() === "") {
    throw new EngineError("config.invalid", { field: "prompt", problem: "it is not a text, or it is empty" });
  }
  return {
    messages: [{ role: "user", content: given }],
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
  };
}

function toSessionOptions(options: RunOptions, opened: OpenedRunEngine): StartSessionOptions {
  const { env = {}, store } = options;
  const { engine, engineName, model } = opened;
  const secrets = [...secretsFromEnv(env), ...opened.secrets, ...(options.secrets ?? [])];
  const standard = store === undefined ? defaultStateDirectory(env, homeFolder(env)) : undefined;
  const stateDirectory = options.stateDirectory ?? standard;
  if (store === undefined && stateDirectory === undefined) {
    const problem = "its default needs a home folder, which does not exist; set it, or set `store`";
    throw new EngineError("config.invalid", { field: "stateDirectory", problem });
  }
  return { ...options, engine, engineName, model, secrets, stateDirectory, environment: toEnvironment(options) };
}

function toEnvironment({ environment = ".", env }: RunOptions): StartSessionOptions["environment"] {
  if (typeof environment !== "string") return environment;
  if (environment === "") {
    throw new EngineError("config.invalid", { field: "environment", problem: "it is an empty path" });
  }
  return { type: "local", root: environment, env } satisfies EnvironmentConfig;
}

/** Resolves with the report once the engine is closed. A failure to close does not change the outcome of the run. */
async function closeAfter(result: Promise<SessionReport>, opened: OpenedRunEngine): Promise<SessionReport> {
  const report = await result;
  await opened.close().catch(() => undefined);
  if (opened.warnings.length === 0) return report;
  return { ...report, warnings: [...opened.warnings, ...(report.warnings ?? [])] };
}
