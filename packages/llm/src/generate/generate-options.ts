import {
  EngineError,
  type Message,
  type ModelRequest,
  type ToolArguments,
  type ToolDefinition,
  textMessage,
} from "@switchyard/contracts";
import type { GenerateStep } from "./generate-result.ts";

/** Context of a tool's execution. */
export interface GenerateToolContext {
  /** Id of the call. */
  callId: string;
  /** Signal that aborts when the tool's result is no longer needed. */
  signal: AbortSignal | undefined;
}

/** A tool that `generate` executes. See unified-llm-client: high level. */
export interface GenerateTool extends ToolDefinition {
  /**
   * Executes the tool with arguments that match `parameters`. A string result is sent to the model unchanged, any other
   * as JSON; an error is sent as a failed result. `undefined`: the caller executes the tool.
   */
  execute?: ((args: ToolArguments, context: GenerateToolContext) => unknown) | undefined;
}

/** Options for generating text: a prompt or messages, and the settings of the model calls. */
export interface GenerateOptions extends Omit<ModelRequest, "messages" | "tools"> {
  /** User prompt. Cannot be combined with `messages`. */
  prompt?: string | undefined;
  /** Conversation so far. Cannot be combined with `prompt`. */
  messages?: readonly Message[] | undefined;
  /** System prompt. */
  system?: string | undefined;
  /** Tools that the model may call. */
  tools?: readonly GenerateTool[] | undefined;
  /**
   * Maximum number of tool rounds. In each, all tool calls of a response are executed. 0: the first tool calls are
   * returned to the caller. Default: 1.
   */
  maxToolRounds?: number | undefined;
  /**
   * Called with each response and the results of the response's tool calls. The generation waits for the returned
   * promise.
   */
  onStep?: ((step: GenerateStep) => void | Promise<void>) | undefined;
}

/** Validated options. */
export interface GeneratePlan {
  /** Settings of a request, without its messages. */
  readonly settings: Omit<ModelRequest, "messages">;
  /** Initial conversation. */
  readonly messages: readonly Message[];
  /** Tools by name. */
  readonly tools: ReadonlyMap<string, GenerateTool>;
  /** Maximum number of tool rounds. In each, all tool calls of a response are executed. */
  readonly maxToolRounds: number;
  /** Called after each step. */
  readonly onStep: GenerateOptions["onStep"];
}

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

function conversationOf({ prompt, messages, system }: GenerateOptions): readonly Message[] {
  if (prompt !== undefined && messages !== undefined) throw invalid("prompt", "give a prompt or messages, not both");
  const conversation = prompt === undefined ? messages : [textMessage("user", prompt)];
  if (conversation === undefined) throw invalid("prompt", "give a prompt or messages");
  return system === undefined ? conversation : [textMessage("system", system), ...conversation];
}

function toolsOf(tools: readonly GenerateTool[]): ReadonlyMap<string, GenerateTool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw invalid("tools", "two tools have the same name");
  return byName;
}

/** Validates the options. Throws `config.invalid`. */
export function toGeneratePlan(options: GenerateOptions): GeneratePlan {
  const {
    prompt: _prompt,
    messages: _messages,
    system: _system,
    tools = [],
    maxToolRounds = 1,
    onStep,
    ...rest
  } = options;
  if (!(maxToolRounds >= 0)) throw invalid("maxToolRounds", "it is not a number of 0 or more");
  const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return {
    settings: definitions.length === 0 ? rest : { ...rest, tools: definitions },
    messages: conversationOf(options),
    tools: toolsOf(tools),
    maxToolRounds,
    onStep,
  };
}
