import type {
  ModelRequest,
  ModelResponse,
  RegisteredTool,
  ToolArguments,
  ToolCallPart,
  ToolOutput,
} from "@switchyard/contracts";

/** Context of a hook call. */
export interface HookContext {
  /** Session id. */
  readonly sessionId: string;
  /** Subagent id. `undefined` for the session itself. */
  readonly agentId?: string | undefined;
  /** Attributes of the run: `variant`, `case_id`, `kwargs.NAME` and others. architecture: SessionInput. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Absolute path that relative paths in calls refer to. A subagent may have its own. */
  readonly workingDirectory: string;
  /** Aborts when the session is aborted. */
  readonly signal: AbortSignal;
}

/** Tool call before its execution. */
export interface HookedCall {
  /** Call as the model requested it. */
  readonly call: ToolCallPart;
  /** Called tool. */
  readonly tool: RegisteredTool;
  /** Arguments that it will run with. */
  readonly args: ToolArguments;
}

/** Changed arguments of a call, or the reason for its denial. */
export type ToolCallChange = { readonly args: ToolArguments } | { readonly deny: string };

/**
 * Hooks that observe and may change model and tool calls. A hook's result replaces its input; `undefined` changes
 * nothing. The session waits for each hook. An invalid result is treated like a thrown error. If a tool call hook
 * throws, the call gets an error result and a `warning` is emitted. If a model call hook throws, the input fails with
 * its error, or with `hook.failed` if that is not an `EngineError`.
 */
export interface SessionHooks {
  /** Called before each model call. The request keeps the session's signal. */
  readonly beforeModelCall?:
    | ((request: ModelRequest, context: HookContext) => ModelRequest | undefined | Promise<ModelRequest | undefined>)
    | undefined;
  /** Called with each response before it is recorded. Its id and usage cannot be changed. */
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
   * Called with the outcome of each executed call, including failed ones, before it is truncated for the model. Command
   * output was already shown during execution and, if large, stored with the run; these copies are unchanged.
   */
  readonly afterToolCall?:
    | ((
        call: HookedCall & { readonly outcome: ToolOutput },
        context: HookContext,
      ) => ToolOutput | undefined | Promise<ToolOutput | undefined>)
    | undefined;
}
