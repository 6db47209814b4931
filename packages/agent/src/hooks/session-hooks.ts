import type {
  ModelRequest,
  ModelResponse,
  RegisteredTool,
  ToolArguments,
  ToolCallPart,
  ToolOutput,
} from "@switchyard/contracts";

/** What a hook may know of where it is called. */
export interface HookContext {
  /** Session it is called in. */
  readonly sessionId: string;
  /** Subagent it is called in; the session itself when unset. */
  readonly agentId?: string | undefined;
  /** What the host says about the run: `variant`, `case_id`, `kwargs.NAME` and others. architecture: SessionInput. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Folder that relative paths in calls are relative to, absolute; that of the subagent where it has one of its own. */
  readonly workingDirectory: string;
  /** Fires when the session is aborted. */
  readonly signal: AbortSignal;
}

/** A call that is about to be made. */
export interface HookedCall {
  /** As the model asked for it. */
  readonly call: ToolCallPart;
  /** The tool it is for. */
  readonly tool: RegisteredTool;
  /** The arguments it will run with. */
  readonly args: ToolArguments;
}

/** Other arguments for a call, or why it is not made. */
export type ToolCallChange = { readonly args: ToolArguments } | { readonly deny: string };

/**
 * Looks at model and tool calls, and may change them. What a hook returns takes the place of what it got; nothing
 * changes when it returns nothing. The session waits for each.
 *
 * A hook that returns something else than it may fails like one that throws.
 * A hook round a tool call that throws makes the call an error result for the model, with a `warning`; a hook round a
 * model call that throws makes the input fail with its error, or with `hook.failed` when that is no `EngineError`.
 */
export interface SessionHooks {
  /** Called before each model call. The signal of the session stays with the request. */
  readonly beforeModelCall?:
    | ((request: ModelRequest, context: HookContext) => ModelRequest | undefined | Promise<ModelRequest | undefined>)
    | undefined;
  /** Called with each answer before it is recorded; its id and usage stay as they were. */
  readonly afterModelCall?:
    | ((
        response: ModelResponse,
        context: HookContext,
      ) => ModelResponse | undefined | Promise<ModelResponse | undefined>)
    | undefined;
  /** Called before each valid tool call, in front of approvals. Arguments are validated again behind it. */
  readonly beforeToolCall?:
    | ((call: HookedCall, context: HookContext) => ToolCallChange | undefined | Promise<ToolCallChange | undefined>)
    | undefined;
  /**
   * Called with the outcome of each call that was carried out, failed ones included, before it is cut for the model.
   * What a command printed was shown while it ran and, where it is large, kept with the run before: that is as it came.
   */
  readonly afterToolCall?:
    | ((
        call: HookedCall & { readonly outcome: ToolOutput },
        context: HookContext,
      ) => ToolOutput | undefined | Promise<ToolOutput | undefined>)
    | undefined;
}
