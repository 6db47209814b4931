import type { ExecutionEnvironment, ImagePart, ToolDefinition } from "@switchyard/contracts";
import { EngineError, messageOf } from "@switchyard/contracts";
import { commandTimeoutsOf } from "../loop/session-tool-run.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import { elapsedSince } from "../session/elapsed-since.ts";
import { createSessionConfig, type SessionConfig } from "../session/session-config.ts";
import { outputLimitsOf } from "../truncation/output-limits.ts";
import { truncateOutput } from "../truncation/truncate-tool-output.ts";
import { TOO_DEEP } from "./parse-arguments.ts";
import { runTool } from "./run-tool.ts";
import { failedOutcome, type ToolOutcome } from "./tool-outcome.ts";

/** One tool call outside of a session. */
export interface CallToolOptions {
  /** Whose tools, limits and timeouts. */
  readonly profile: ProviderProfile;
  /** Where the tool works. */
  readonly environment: ExecutionEnvironment;
  /** Name of the tool. */
  readonly name: string;
  /** Arguments: plain data, or JSON text as a model writes it. */
  readonly arguments: unknown;
  /** Deviations from the default limits. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** Ends the call when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Shows output while it arrives. */
  readonly onUpdate?: ((text: string) => void) | undefined;
  /** The time in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** What came of it. */
export interface ToolCallResult {
  /** What a model would see: cut to the tool's limits. */
  readonly content: string;
  /** The whole output. */
  readonly output: string;
  /** Whether the tool failed. */
  readonly isError: boolean;
  /** Plain data for programs. */
  readonly details?: unknown;
  /** Images the tool returned. */
  readonly images?: readonly ImagePart[] | undefined;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
}

/** The tools of a profile as the model sees them. */
export function toolDefinitions(profile: ProviderProfile): readonly ToolDefinition[] {
  return profile.toolRegistry.definitions();
}

/** Arguments as a model writes them, or why they cannot be written so. */
function argumentsText({ arguments: input }: CallToolOptions): { text: string } | { problem: string } {
  if (typeof input === "string") return { text: input };
  try {
    return { text: JSON.stringify(input ?? {}) ?? "{}" };
  } catch (error) {
    // Those that are nested so deep that writing them fails are too deep for any tool.
    return { problem: error instanceof RangeError ? TOO_DEEP : `they cannot be written as JSON: ${messageOf(error)}` };
  }
}

function callWith(
  args: ReturnType<typeof argumentsText>,
  { profile, environment, name, signal, onUpdate }: CallToolOptions,
  config: SessionConfig,
): ToolOutcome | Promise<ToolOutcome> {
  if ("problem" in args) {
    return failedOutcome(new EngineError("tool.invalid_arguments", { tool: name, problem: args.problem }));
  }
  return runTool(
    { type: "tool_call", id: "call", name, arguments: args.text },
    {
      registry: profile.toolRegistry,
      environment,
      signal: signal ?? new AbortController().signal,
      graceMs: config.abortGraceMs,
      commandTimeouts: commandTimeoutsOf(config, profile.commandTimeoutMs),
      onUpdate: (_, text) => onUpdate?.(text),
    },
  );
}

/**
 * Runs one tool through the whole pipeline of a session: look-up, validation, execution, truncation. Never rejects
 * for anything the tool does; `isError` tells. loop: tool execution pipeline, §3.8.
 */
export async function callTool(options: CallToolOptions): Promise<ToolCallResult> {
  const { profile, name, now = Date.now } = options;
  const config = createSessionConfig(options.config);
  const startedMs = now();
  const outcome = await callWith(argumentsText(options), options, config);
  const limits = outputLimitsOf(name, config, profile.toolRegistry.get(name));
  const { content: output, isError, details, images } = outcome;
  return {
    content: truncateOutput(output, limits),
    output,
    isError,
    details,
    images,
    durationMs: elapsedSince(startedMs, now),
  };
}
