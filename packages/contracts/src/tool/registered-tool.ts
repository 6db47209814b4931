import type { UserPrompt, UserReply } from "../engine/user-prompt.ts";
import type { ExecutionEnvironment } from "../environment/execution-environment.ts";
import type { ToolDefinition } from "../model/model-request.ts";
import type { ImagePart } from "../model/part.ts";
import type { BackgroundCommands } from "./background-commands.ts";
import type { OutputLimits } from "./output-limits.ts";
import type { OutputReference, OutputSpool } from "./output-spool.ts";
import type { SubagentControl } from "./subagent-control.ts";

/** Parsed arguments of a call, valid against the tool's schema. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Kind of side effects of a tool. Decides whether a call is repeated after a crash. See architecture: decision 18. */
export type ToolEffects = "readonly" | "idempotent" | "unsafe";

/** Output of a tool. See architecture: decision 10. */
export interface ToolOutput {
  /** Complete output text for the model. The caller of the tool truncates the text. */
  readonly content: string;
  /** Structured data for programs; included in the end event. */
  readonly details?: unknown;
  /** True if the tool failed; the model then receives the result as an error. Default: false. */
  readonly isError?: boolean | undefined;
  /** Images of the tool's output, for a multimodal model. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Location of the complete output, if `content` holds only head and tail. See architecture: decision 10. */
  readonly outputRef?: OutputReference | undefined;
}

/** Context of a tool call. */
export interface ToolCallContext {
  /** Signal that aborts when the tool call must stop. */
  readonly signal: AbortSignal;
  /** Id of the call. */
  readonly callId: string;
  /** Reports output of the tool as the output arrives. */
  readonly onUpdate: (text: string) => void;
  /** Time limits of commands, in milliseconds. See loop: §5.4. */
  readonly commandTimeouts: { readonly defaultMs: number; readonly maxMs: number };
  /**
   * Asks the user and resolves with the answer; rejects with `prompt.unavailable` if no user is available. The
   * session's status is `awaiting_input` while the question is open. See loop: §2.3; architecture: decision 13.
   */
  readonly askUser?: ((prompt: UserPrompt) => Promise<UserReply>) | undefined;
  /**
   * Storage for output that is too large for an event; `undefined` if output is not stored. See architecture: decision
   * 10.
   */
  readonly spool?: OutputSpool | undefined;
  /** Runs commands in the background; `undefined` if the session does not support this. */
  readonly background?: BackgroundCommands | undefined;
  /** Starts and controls subagents; `undefined` if the session does not support this. See loop: §7. */
  readonly subagents?: SubagentControl | undefined;
  /**
   * Returns true if rules hide a file from the call, given its path in the environment. Used by tools with
   * `omitsHiddenFiles`. `undefined`: no file is hidden.
   */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /**
   * Returns the name that the model uses for a parameter of the tool. `undefined` if the model uses the tool's own
   * names.
   */
  readonly parameterName?: ((name: string) => string) | undefined;
}

/**
 * Executes a call. Contract: accesses files and processes only through the environment, and stops when the signal
 * aborts. A rejection becomes an error result for the model. See loop: executor, §3.8; architecture: decision 10.
 */
export type ToolExecutor = (
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
) => Promise<ToolOutput | string> | ToolOutput | string;

/**
 * Files, commands and URLs that a call will access, derived from the call's arguments alone. Approval rules are applied
 * to these targets.
 */
export interface ToolTargets {
  /** Files and folders, as written in the arguments. */
  readonly paths?: readonly string[] | undefined;
  /** Folders below which the call may access any file. */
  readonly trees?: readonly string[] | undefined;
  /**
   * True if the call skips hidden files below the folders in `trees`: those for which `ToolCallContext.isHidden`
   * returns true. A rule that denies access to such files then does not deny the whole call.
   */
  readonly omitsHiddenFiles?: boolean | undefined;
  /** Command line that the call passes to a shell. */
  readonly command?: string | undefined;
  /** Working folder of the command line, as written in the arguments. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** URLs to which the call sends data. An empty string stands for an unknown URL. */
  readonly urls?: readonly string[] | undefined;
}

/** Version of the definition of a third-party tool. */
export interface ToolRevision {
  /** Digest of the tool's name, description and schema. */
  readonly digest: string;
  /** True if the tool's definition differs from the definition that the server listed first. */
  readonly hasChanged: boolean;
}

/** A tool that the model can call. See loop: RegisteredTool, §3.8. */
export interface RegisteredTool {
  /** Definition of the tool as the model receives it. */
  readonly definition: ToolDefinition;
  /** Executes a call. */
  readonly execute: ToolExecutor;
  /** Side effects of the tool. Default: `unsafe`. */
  readonly effects?: ToolEffects | undefined;
  /**
   * Version of the tool's definition, for tools whose definition a server can change during a session. A permission
   * applies to one version.
   */
  readonly revision?: ToolRevision | undefined;
  /**
   * Returns what a call will access. Contract: uses nothing but the arguments. Approval rules about paths and commands
   * cannot be applied to a tool without this function.
   */
  readonly targets?: ((args: ToolArguments) => ToolTargets) | undefined;
  /**
   * Limits of the tool output that is sent to the model. Default: the table in section 5.2 of the loop specification.
   */
  readonly outputLimits?: OutputLimits | undefined;
  /** True if the tool controls subagents. Sessions without subagents do not offer the tool. See loop: §7.3. */
  readonly needsSubagents?: boolean | undefined;
  /**
   * Whether the tool or its environment calls `hostFromContext`, which returns the host of the session. If false, the
   * session does not set the host for this function, which saves more time than a short tool call takes. Default: true.
   * See engine: HostFromContext.
   */
  readonly needsHost?: boolean | undefined;
  /**
   * Canonical name of the tool, if the model knows the tool under a vendor-specific name. Limits and rules apply to the
   * canonical name. See architecture: decision 12.
   */
  readonly canonicalName?: string | undefined;
  /**
   * Converts arguments from the model's parameter names to the tool's parameter names. See architecture: decision 12.
   */
  readonly toCanonicalArguments?: ((args: ToolArguments) => ToolArguments) | undefined;
}
