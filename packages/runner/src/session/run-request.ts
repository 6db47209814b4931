import { EngineError, type RunRequest, type SessionInput } from "@switchyard/contracts";
import type { Budget } from "@switchyard/engine";
import type { Masker } from "@switchyard/secrets";
import { isRecord } from "../input/is-record.ts";
import type { OutputOptions } from "../output/output-options.ts";
import type { RetryOptions } from "../retry/retry-options.ts";
import type { StartSessionOptions } from "./start-session-options.ts";

/** What the runner keeps of its own among a request's settings. */
export interface RunnerSettings {
  /** What the run may use. */
  budget?: Omit<Budget, "used"> | undefined;
  /** How often it is tried. */
  retry?: RetryOptions | undefined;
  /** What its answer has to be. */
  output?: OutputOptions | undefined;
  /** Whether the raw output of its processes is kept. */
  keepRawOutput?: boolean | undefined;
  /** Marks of the host. */
  attributes?: Readonly<Record<string, string>> | undefined;
}

/** Names among a request's settings that are the runner's own. */
const RUNNER_SETTINGS: readonly (keyof RunnerSettings)[] = ["budget", "retry", "output", "keepRawOutput", "attributes"];

/** Refuses settings of a host that would be read as the runner's own. Throws `config.invalid`. */
export function assertSettings({ settings = {} }: Pick<StartSessionOptions, "settings">): void {
  const taken = RUNNER_SETTINGS.find((name) => Object.hasOwn(settings, name));
  if (taken === undefined) return;
  const problem = `${taken} is the runner's own; use the option of that name`;
  throw new EngineError("config.invalid", { field: "settings", problem });
}

/** What is kept of a session so that another process can go on with it; known secrets are taken out of the settings. */
export function requestOf(input: SessionInput, options: StartSessionOptions, masker: Masker): RunRequest {
  const { budget, retry, output, attributes, keepRawOutput } = options;
  const settings = {
    ...masker.maskData(options.settings ?? {}),
    ...(budget === undefined ? {} : { budget: limitsOf({ ...budget }) }),
    ...(retry === undefined ? {} : { retry: { ...retry } }),
    ...(output === undefined ? {} : { output: { ...output } }),
    ...(keepRawOutput === true ? { keepRawOutput } : {}),
    ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
  };
  return { format: 1, input, ...(Object.keys(settings).length === 0 ? {} : { settings }) };
}

/** The runner's own settings of a stored request; what is no such thing counts as absent. */
export function runnerSettingsOf({ settings = {} }: RunRequest): RunnerSettings {
  const { budget, retry, output, attributes, keepRawOutput } = settings;
  const kept = isRecord(retry) ? retryOf(retry) : undefined;
  return {
    ...(isRecord(budget) ? { budget: limitsOf(budget) } : {}),
    ...(kept === undefined ? {} : { retry: kept }),
    ...(isRecord(output) && isRecord(output["schema"]) ? { output: outputOf(output, output["schema"]) } : {}),
    ...(keepRawOutput === true ? { keepRawOutput } : {}),
    ...(isRecord(attributes) ? { attributes: textsOf(attributes) } : {}),
  };
}

function limitsOf({ totalTokens, costMicros, modelCalls }: Readonly<Record<string, unknown>>): Omit<Budget, "used"> {
  return {
    ...(typeof totalTokens === "number" ? { totalTokens } : {}),
    ...(typeof costMicros === "number" ? { costMicros } : {}),
    ...(typeof modelCalls === "number" ? { modelCalls } : {}),
  };
}

function retryOf({ maxAttempts, maxDelayMs }: Readonly<Record<string, unknown>>): RetryOptions | undefined {
  if (typeof maxAttempts !== "number") return undefined;
  return { maxAttempts, ...(typeof maxDelayMs === "number" ? { maxDelayMs } : {}) };
}

function outputOf(
  { repairs }: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): OutputOptions {
  return { schema, ...(typeof repairs === "number" ? { repairs } : {}) };
}

function textsOf(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) if (typeof value === "string") texts[name] = value;
  return texts;
}
