import { EngineError, type RunRequest, type SessionInput } from "@switchyard/contracts";
import type { Budget } from "@switchyard/engine";
import type { Masker } from "@switchyard/secrets";
import { isRecord } from "../input/is-record.ts";
import type { OutputOptions } from "../output/output-options.ts";
import type { RetryOptions } from "../retry/retry-options.ts";
import type { StartSessionOptions } from "./start-session-options.ts";

/** Settings of the runner, as part of a stored request. */
export interface RunnerSettings {
  /** Budget of the run. */
  budget?: Omit<Budget, "used"> | undefined;
  /** Automatic retries. */
  retry?: RetryOptions | undefined;
  /** Schema of the final message. */
  output?: OutputOptions | undefined;
  /** Whether the output of the engine's processes is stored. */
  keepRawOutput?: boolean | undefined;
  /** Attributes of the run that the host (the program that starts the run) sets. */
  attributes?: Readonly<Record<string, string>> | undefined;
}

/** Names of settings that only the runner may store in a request. */
const RUNNER_SETTINGS: readonly (keyof RunnerSettings)[] = ["budget", "retry", "output", "keepRawOutput", "attributes"];

/** Throws `config.invalid` if the host's settings use a name that is reserved for the runner. */
export function assertSettings({ settings = {} }: Pick<StartSessionOptions, "settings">): void {
  const reserved = RUNNER_SETTINGS.find((name) => Object.hasOwn(settings, name));
  if (reserved === undefined) return;
  const problem = `${reserved} is reserved; use the option of that name`;
  throw new EngineError("config.invalid", { field: "settings", problem });
}

/**
 * Creates the request that is stored so that another process can resume the session. Known secrets in settings are
 * masked.
 */
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

/** Reads the runner's settings from a stored request. Malformed settings are ignored. */
export function runnerSettingsOf({ settings = {} }: RunRequest): RunnerSettings {
  const { budget, retry, output, attributes, keepRawOutput } = settings;
  const stored = isRecord(retry) ? retryOf(retry) : undefined;
  return {
    ...(isRecord(budget) ? { budget: limitsOf(budget) } : {}),
    ...(stored === undefined ? {} : { retry: stored }),
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
