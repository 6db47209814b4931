import type { UserPrompt, UserReply } from "../engine/user-prompt.ts";
import type { ExecutionEnvironment } from "../environment/execution-environment.ts";
import type { ToolDefinition } from "../model/model-request.ts";
import type { ImagePart } from "../model/part.ts";
import type { BackgroundCommands } from "./background-commands.ts";
import type { OutputLimits } from "./output-limits.ts";
import type { OutputReference, OutputSpool } from "./output-spool.ts";
import type { SubagentControl } from "./subagent-control.ts";

/** Arguments of a call, parsed and valid against the tool's schema. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What running a tool may change in the world; decides what happens after a crash. architecture: decision 18. */
export type ToolEffects = "readonly" | "idempotent" | "unsafe";

/** What a tool answers. architecture: decision 10. */
export interface ToolOutput {
  /** The text for the model, whole; it is truncated behind the tool. */
  readonly content: string;
  /** What programs may want to know: plain data that goes into the end event. */
  readonly details?: unknown;
  /** Whether the tool failed; the model is told. */
  readonly isError?: boolean | undefined;
  /** Images for a multimodal model. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Where the whole output is kept when `content` is only its head and tail. architecture: decision 10. */
  readonly outputRef?: OutputReference | undefined;
}

/** What a running tool is told about its call. */
export interface ToolCallContext {
  /** Fires when the call is to stop. */
  readonly signal: AbortSignal;
  /** Id of the call. */
  readonly callId: string;
  /** Shows output while it arrives. */
  readonly onUpdate: (text: string) => void;
  /** Timeouts of commands, in milliseconds. loop: §5.4. */
  readonly commandTimeouts: { readonly defaultMs: number; readonly maxMs: number };
  /**
   * Asks the user and waits for the answer; rejects with `prompt.unavailable` where nobody can answer. The session is
   * `awaiting_input` meanwhile. loop: §2.3; architecture: decision 13.
   */
  readonly askUser?: ((prompt: UserPrompt) => Promise<UserReply>) | undefined;
  /** Where output goes that is too large for an event; unset where nothing is kept. architecture: decision 10. */
  readonly spool?: OutputSpool | undefined;
  /** Runs commands beside the conversation; unset where nothing would end them. */
  readonly background?: BackgroundCommands | undefined;
  /** Starts and directs child sessions; unset where there is no session to own them. loop: §7. */
  readonly subagents?: SubagentControl | undefined;
  /**
   * Whether rules keep a file from the call, by its path as the environment tells it. Asked by tools that say
   * `leavesOut`; unset where every file is theirs.
   */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** What the model calls a parameter of the tool, where it is not the tool's own name for it. */
  readonly parameterName?: ((name: string) => string) | undefined;
}

/**
 * Carries out a call. Contract: reaches files and processes only through the environment, stops when the signal
 * fires; a rejection becomes an error result for the model. loop: executor, §3.8; architecture: decision 10.
 */
export type ToolExecutor = (
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
) => Promise<ToolOutput | string> | ToolOutput | string;

/** What a call is about to touch, found in its arguments alone: what approvals are decided by. */
export interface ToolTargets {
  /** Files and folders, as the call names them. */
  readonly paths?: readonly string[] | undefined;
  /** Folders below which the call may reach any file. */
  readonly trees?: readonly string[] | undefined;
  /**
   * Whether the call shows nothing of a file below `trees` that `isHidden` of its context tells it of. Then it is not
   * denied for files of which it will not speak.
   */
  readonly leavesOut?: boolean | undefined;
  /** The command line that it hands to a shell. */
  readonly command?: string | undefined;
  /** The folder that the command line runs in, as the call names it; the working directory when unset. */
  readonly cwd?: string | undefined;
  /** Addresses of the network that the call sends something to; the empty text for one that nobody can tell. */
  readonly urls?: readonly string[] | undefined;
}

/** Version of the definition of a tool that somebody else defines. */
export interface ToolRevision {
  /** Digest of the name, description and schema. */
  readonly digest: string;
  /** Whether it differs from the one that was listed first. */
  readonly hasChanged: boolean;
}

/** A tool that can be called. loop: RegisteredTool, §3.8. */
export interface RegisteredTool {
  /** Name, description and schema as the model sees them. */
  readonly definition: ToolDefinition;
  /** Carries out a call. */
  readonly execute: ToolExecutor;
  /** What it may change; `unsafe` when unset. */
  readonly effects?: ToolEffects | undefined;
  /** Version of its definition, if a server can change it during a session: a permission is for one version. */
  readonly revision?: ToolRevision | undefined;
  /**
   * Finds what a call touches. Contract: looks at nothing but the arguments. Rules about paths and commands cannot
   * judge a tool without it.
   */
  readonly targets?: ((args: ToolArguments) => ToolTargets) | undefined;
  /** How its output is cut for the model, where it differs from the table of §5.2. */
  readonly outputLimits?: OutputLimits | undefined;
  /** Whether it works on child sessions: it is not offered where a session may have none. loop: §7.3. */
  readonly needsSubagents?: boolean | undefined;
  /**
   * With `false` it never asks for the host by `hostFromContext`, nor does the place it works in: nothing is carried for it,
   * which takes longer than a short call. engine: HostFromContext.
   */
  readonly needsHost?: boolean | undefined;
  /** Its own name, where the model knows it by a vendor's: limits and rules go by this one. architecture: decision 12. */
  readonly canonicalName?: string | undefined;
  /** The arguments under the tool's own parameter names, where the model knows others. architecture: decision 12. */
  readonly toCanonicalArguments?: ((args: ToolArguments) => ToolArguments) | undefined;
}
