import type {
  ModelRequest,
  ModelResponse,
  RegisteredTool,
  ToolArguments,
  ToolCallPart,
  ToolOutput,
} from "@switchyard/contracts";

/** Context passed to hooks. */
export interface HookContext {
  /** Session id. */
  readonly sessionId: string;
  /** Subagent id. `undefined` for the main session. */
  readonly agentId?: string | undefined;
  /** Attributes of the run: `variant`, `case_id`, `kwargs.NAME` and others. See architecture: SessionInput. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Absolute path of the working directory, to which relative paths in calls refer. May differ for a subagent. */
  readonly workingDirectory: string;
  /** Signal that aborts when the session is aborted. */
  readonly signal: AbortSignal;
}

/** Tool call before its execution. */
export interface HookedCall {
  /** Call as requested by the model. */
  readonly call: ToolCallPart;
  /** Tool to be called. */
  readonly tool: RegisteredTool;
  /** Arguments the tool will be called with. */
  readonly args: ToolArguments;
}

/** Result of `beforeToolCall`: changed arguments, or the reason for denying the call. */
export type ToolCallChange = { readonly args: ToolArguments } | { readonly deny: string };

/**
 * Hooks that observe and may change model calls and tool calls. A hook's result replaces its input. `undefined` means
 * no change. The session waits for each hook. An invalid result counts as a thrown error. If a tool call hook throws,
 * the call gets an error result and a `warning` is emitted. If a model call hook throws, the input fails with that
 * error, or with `hook.failed` if it is not an `EngineError`.
 */
export interface SessionHooks {
  /** Called before each model call. Cannot replace the request's abort signal. */
  readonly beforeModelCall?:
    | ((request: ModelRequest, context: HookContext) => ModelRequest | undefined | Promise<ModelRequest | undefined>)
    | undefined;
  /** Called with each model response before the response is recorded. Cannot change the response's id and usage. */
  readonly afterModelCall?:
    | ((
        response: ModelResponse,
        context: HookContext,
      ) => ModelResponse | undefined | Promise<ModelResponse | undefined>)
    | undefined;
  /** Called before each valid tool call, before approvals. Changed arguments are validated again. */
  readonly beforeToolCall?:
    | ((call: HookedCall, context: HookContext) => ToolCallChange | undefined | Promise<ToolCallChange | undefined>)
    | undefined;
  /**
   * Called with the outcome of each executed tool call, including failures, before its output is truncated for the
   * model. Command output that was already streamed or stored with the run is not affected.
   */
  readonly afterToolCall?:
    | ((
        call: HookedCall & { readonly outcome: ToolOutput },
        context: HookContext,
      ) => ToolOutput | undefined | Promise<ToolOutput | undefined>)
    | undefined;
}
