import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../checkpoint/is-part.ts";

/**
 * Limits and settings of a session; the host may change any of them between two turns, the next model call uses
 * the new values. loop: SessionConfig, §2.2.
 */
export interface SessionConfig {
  /** Most answers of the model in the whole session; 0 means no limit. Default 0. */
  maxTurns: number;
  /** Most tool rounds per user input; 0 means no limit. Default 0. */
  maxToolRoundsPerInput: number;
  /** Most tokens of all model calls of the session together; 0 means no limit. Default 0. */
  maxTotalTokens: number;
  /**
   * Most cost of all model calls together, in millionths of a US dollar; 0 means no limit. Default 0. Answers of an
   * unknown price do not count, which is told once.
   */
  maxCostMicros: number;
  /**
   * Most time in which the session or any of its subagents works, in milliseconds, waiting for a person left out; 0 means
   * no limit. Default 0. Like all limits it is looked at before each model call: what runs comes to its end.
   */
  maxWallTimeMs: number;
  /** Most characters of one answer, reasoning and arguments of calls included. Default 16 Mi. */
  maxResponseChars: number;
  /** Time a command gets that names no timeout, in milliseconds. Default: the profile's (§3.5), else 10,000. */
  defaultCommandTimeoutMs?: number | undefined;
  /** Most time a command may ask for, in milliseconds. Default 600,000. */
  maxCommandTimeoutMs: number;
  /** `low`, `medium`, `high` or what the provider offers beyond; null leaves the provider's default. */
  reasoningEffort: string | null;
  /** The vendor's model id to use from the next call on; the profile's model when unset. */
  model?: string | undefined;
  /** Characters a tool may return to the model, by tool name; 0 means no limit. loop: §5.2. */
  toolOutputLimits: Readonly<Record<string, number>>;
  /** Lines a tool may return to the model, by tool name; 0 means no limit. loop: §5.3. */
  toolLineLimits: Readonly<Record<string, number>>;
  /** Whether repeating tool calls are pointed out to the model. Default true. */
  enableLoopDetection: boolean;
  /** Calls that must repeat before the model is told. Default 10. */
  loopDetectionWindow: number;
  /** Most levels of subagents below this session. Default 1. */
  maxSubagentDepth: number;
  /** Most children of this session that work at the same time. Default 8. */
  maxSubagents: number;
  /** Most retries in a row of responses that are empty, announce calls and contain none, or end with an error. Default 2. */
  maxResponseRetries: number;
  /** Most continuations in a row of a response that was cut off at the output limit; 0 switches them off. Default 3. */
  maxContinuations: number;
  /** Time running tools get to end after an abort, in milliseconds, before they are given up. Default 5,000. */
  abortGraceMs: number;
}

/** loop §5.4: time a command gets when neither the call, the host nor the profile says otherwise. */
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
 * The specification's defaults, overridden by what the host sets. Throws `config.invalid` for a setting that there is
 * not and for a number that is none or below 0: a limit that is mistyped must not be no limit. loop: §2.2.
 */
export function createSessionConfig(overrides?: Partial<SessionConfig>): SessionConfig {
  const config: SessionConfig = { ...DEFAULTS, toolOutputLimits: {}, toolLineLimits: {} };
  return overrides === undefined ? config : Object.assign(config, givenSettings(overrides));
}

function givenSettings(overrides: Partial<SessionConfig>): Partial<SessionConfig> {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const defaults = new Map<string, unknown>(Object.entries(DEFAULTS));
  for (const [name, value] of given) {
    const problem = problemOf(name, value, defaults.get(name));
    if (problem !== undefined) throw new EngineError("config.invalid", { field: `config.${name}`, problem });
  }
  return Object.fromEntries(given);
}

function problemOf(name: string, value: unknown, defaultValue: unknown): string | undefined {
  if (defaultValue === undefined && !UNSET.includes(name)) return "there is no such setting";
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
