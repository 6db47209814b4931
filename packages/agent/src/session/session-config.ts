import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../checkpoint/is-part.ts";

/**
 * Limits and settings of a session. The host may change them between turns; the next model call uses the new values.
 * See loop: SessionConfig, §2.2.
 */
export interface SessionConfig {
  /** Maximum number of model responses in the session. 0: no limit. Default: 0. */
  maxTurns: number;
  /** Maximum number of tool rounds per user input. 0: no limit. Default: 0. */
  maxToolRoundsPerInput: number;
  /** Maximum number of tokens of all model calls. 0: no limit. Default: 0. */
  maxTotalTokens: number;
  /**
   * Maximum cost of all model calls, in millionths of a US dollar. 0: no limit. Default: 0. Responses of unknown price
   * do not count, which causes one warning.
   */
  maxCostMicros: number;
  /**
   * Maximum active time of the session and its subagents, in milliseconds, not counting the time in which it waits for
   * people. 0: no limit. Default: 0. Like all limits, the active time is checked before each model call, and running
   * work is not stopped.
   */
  maxWallTimeMs: number;
  /** Maximum length of a response, in characters, including reasoning and arguments of calls. Default: 16 Mi. */
  maxResponseChars: number;
  /**
   * Timeout of shell commands for which the model requests no timeout, in milliseconds. Default: the profile's default
   * (§3.5), otherwise 10,000.
   */
  defaultCommandTimeoutMs?: number | undefined;
  /** Maximum timeout that a command may request, in milliseconds. Default: 600,000. */
  maxCommandTimeoutMs: number;
  /**
   * Reasoning effort: `low`, `medium`, `high`, or another value that the provider accepts. `null`: the provider's
   * default.
   */
  reasoningEffort: string | null;
  /** Model id for the next calls. Default: the profile's model. */
  model?: string | undefined;
  /**
   * Maximum number of characters of a tool's output that the model receives, by tool name. 0: no limit. See loop: §5.2.
   */
  toolOutputLimits: Readonly<Record<string, number>>;
  /** Maximum number of lines of a tool's output that the model receives, by tool name. 0: no limit. See loop: §5.3. */
  toolLineLimits: Readonly<Record<string, number>>;
  /** Whether the model is warned about repeating tool calls. Default: `true`. */
  enableLoopDetection: boolean;
  /**
   * Number of most recent tool calls that are checked for a repeated pattern. The model is warned if they repeat one. If
   * the length of the pattern does not divide this number, the oldest of these calls are ignored. Default: 10.
   */
  loopDetectionWindow: number;
  /** Maximum nesting depth of subagents below this session. Default: 1. */
  maxSubagentDepth: number;
  /** Maximum number of concurrently working subagents of this session. Default: 8. */
  maxSubagents: number;
  /**
   * Maximum number of consecutive retries of failed responses. A response has failed if it is empty, announces tool
   * calls but contains none, or ends with an error. Default: 2.
   */
  maxResponseRetries: number;
  /**
   * Maximum number of consecutive continuations of a response that was cut off at the output limit. 0 disables them.
   * Default: 3.
   */
  maxContinuations: number;
  /** Time for running tools to end after an abort, in milliseconds. Default: 5,000. */
  abortGraceMs: number;
}

/**
 * Default timeout of commands, in milliseconds, if neither the call, the host nor the profile sets one. See loop: §5.4.
 */
export const DEFAULT_COMMAND_TIMEOUT_MS = 10_000;

const DEFAULTS: SessionConfig = {
  maxTurns: 0,
  maxToolRoundsPerInput: 0,
  maxTotalTokens: 0,
  maxCostMicros: 0,
  maxWallTimeMs: 0,
  maxResponseChars: 16 * 1024 * 1024,
  maxCommandTimeoutMs: 600_000,
  reasoningEffort: null,
  toolOutputLimits: {},
  toolLineLimits: {},
  enableLoopDetection: true,
  loopDetectionWindow: 10,
  maxSubagentDepth: 1,
  maxSubagents: 8,
  maxResponseRetries: 2,
  maxContinuations: 3,
  abortGraceMs: 5_000,
};

/** Settings without a default. */
const UNSET = ["defaultCommandTimeoutMs", "model"];

/**
 * Creates a config from the specification's defaults and the host's overrides. Throws `config.invalid` for an unknown
 * setting or an invalid number, so that a mistyped limit does not mean no limit. See loop: §2.2.
 */
export function createSessionConfig(overrides?: Partial<SessionConfig>): SessionConfig {
  const config: SessionConfig = { ...DEFAULTS, toolOutputLimits: {}, toolLineLimits: {} };
  return overrides === undefined ? config : Object.assign(config, definedSettings(overrides));
}

function definedSettings(overrides: Partial<SessionConfig>): Partial<SessionConfig> {
  const defined = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const defaults = new Map<string, unknown>(Object.entries(DEFAULTS));
  for (const [name, value] of defined) {
    const problem = problemOf(name, value, defaults.get(name));
    if (problem !== undefined) throw new EngineError("config.invalid", { field: `config.${name}`, problem });
  }
  return Object.fromEntries(defined);
}

function problemOf(name: string, value: unknown, defaultValue: unknown): string | undefined {
  if (defaultValue === undefined && !UNSET.includes(name)) return "the setting is unknown";
  const isNumber = typeof defaultValue === "number" || name === "defaultCommandTimeoutMs";
  if (isNumber && !isAmount(value)) return "it must be a number, 0 or more";
  if (isRecord(defaultValue) && !isLimitTable(value)) return "it must be numbers, 0 or more, by the names of tools";
  return undefined;
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function isLimitTable(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((limit) => limit === undefined || isAmount(limit));
}
