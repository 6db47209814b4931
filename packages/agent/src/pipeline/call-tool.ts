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

/** Options for a single tool call outside a session. */
export interface CallToolOptions {
  /** Profile that supplies the tools, limits and timeouts. */
  readonly profile: ProviderProfile;
  /** Environment in which the tool runs. */
  readonly environment: ExecutionEnvironment;
  /** Name of the tool. */
  readonly name: string;
  /** Arguments, as plain data or as JSON text. */
  readonly arguments: unknown;
  /** Overrides of the default limits. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** Signal that cancels the call when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each part of the tool's output as soon as it arrives. */
  readonly onUpdate?: ((text: string) => void) | undefined;
  /** Returns the current time, in milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Result of a tool call. */
export interface ToolCallResult {
  /** Output for the model, truncated to the tool's limits. */
  readonly content: string;
  /** Complete output. */
  readonly output: string;
  /** True if the call failed. */
  readonly isError: boolean;
  /** Plain data for programs. `undefined` if the tool returned none. */
  readonly details?: unknown;
  /** Images that the tool returned. `undefined` if there are none. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Duration of the call, in milliseconds. */
  readonly durationMs: number;
}

/** Returns the definitions of a profile's tools as the model sees them. */
export function toolDefinitions(profile: ProviderProfile): readonly ToolDefinition[] {
  return profile.toolRegistry.definitions();
}

/** Returns the arguments as JSON text, or the reason why they cannot be serialized. */
function argumentsText({ arguments: input }: CallToolOptions): { text: string } | { problem: string } {
  if (typeof input === "string") return { text: input };
  try {
    return { text: JSON.stringify(input ?? {}) ?? "{}" };
  } catch (error) {
    // A `RangeError` means the serializer overflowed the stack, so the arguments exceed any tool's nesting limit.
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
 * Runs one tool call through the complete pipeline: lookup, validation, execution and truncation. Never rejects because
 * of the tool. `isError` reports failure. See loop: tool execution pipeline, §3.8.
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
