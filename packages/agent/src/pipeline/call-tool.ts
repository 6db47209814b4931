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

/** Options for a tool call outside a session. */
export interface CallToolOptions {
  /** Profile that determines tools, limits and timeouts. */
  readonly profile: ProviderProfile;
  /** Environment in which the tool works. */
  readonly environment: ExecutionEnvironment;
  /** Name of the tool. */
  readonly name: string;
  /** Arguments: plain data, or JSON text as models write it. */
  readonly arguments: unknown;
  /** Overrides of the default limits. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** Ends the call when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Receives output increments. */
  readonly onUpdate?: ((text: string) => void) | undefined;
  /** Returns the time in milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Result of a tool call. */
export interface ToolCallResult {
  /** Output as a model would see it, truncated to the tool's limits. */
  readonly content: string;
  /** Complete output. */
  readonly output: string;
  /** Whether the tool failed. */
  readonly isError: boolean;
  /** Plain data for programs. */
  readonly details?: unknown;
  /** Images that the tool returned. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Duration in milliseconds. */
  readonly durationMs: number;
}

/** Returns the tool definitions of a profile as the model sees them. */
export function toolDefinitions(profile: ProviderProfile): readonly ToolDefinition[] {
  return profile.toolRegistry.definitions();
}

/** Serializes arguments as a model would write them, or returns why that is not possible. */
function argumentsText({ arguments: input }: CallToolOptions): { text: string } | { problem: string } {
  if (typeof input === "string") return { text: input };
  try {
    return { text: JSON.stringify(input ?? {}) ?? "{}" };
  } catch (error) {
    // Nesting that overflows the serializer is too deep for any tool.
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
 * Runs a tool through the complete pipeline of a session: lookup, validation, execution, truncation. Never rejects
 * because of the tool: `isError` reports failure. loop: tool execution pipeline, §3.8.
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
