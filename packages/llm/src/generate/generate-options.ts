import {
  EngineError,
  type Message,
  type ModelRequest,
  type ToolArguments,
  type ToolDefinition,
  textMessage,
} from "@switchyard/contracts";
import type { GenerateStep } from "./generate-result.ts";

/** What a tool's function learns beside its arguments. */
export interface GenerateToolContext {
  /** Id of the call. */
  callId: string;
  /** Fires when the answer is not wanted any more. */
  signal: AbortSignal | undefined;
}

/** A tool that `generate` runs by itself. unified-llm-client: high level. */
export interface GenerateTool extends ToolDefinition {
  /**
   * Runs it with arguments that fit `parameters`. A text goes to the model as it is, anything else as JSON; what is
   * thrown goes to the model as a failed result. Without it the calls of this tool are handed to the caller.
   */
  execute?: ((args: ToolArguments, context: GenerateToolContext) => unknown) | undefined;
}

/** What is to be generated: a prompt or messages, and the settings of the model calls. */
export interface GenerateOptions extends Omit<ModelRequest, "messages" | "tools"> {
  /** What the user says; or `messages`, not both. */
  prompt?: string | undefined;
  /** The conversation so far; or `prompt`, not both. */
  messages?: readonly Message[] | undefined;
  /** Goes before everything else. */
  system?: string | undefined;
  /** Tools the model may call. */
  tools?: readonly GenerateTool[] | undefined;
  /** How often tools are run and the model is asked again; 0 hands the first calls to the caller. Default 1. */
  maxToolRounds?: number | undefined;
  /** Told of every answer with the results of its calls; awaited. */
  onStep?: ((step: GenerateStep) => void | Promise<void>) | undefined;
}

/** The options as they are used. */
export interface GeneratePlan {
  /** All of a request but its messages. */
  readonly settings: Omit<ModelRequest, "messages">;
  /** The conversation at the beginning. */
  readonly messages: readonly Message[];
  /** The tools by name. */
  readonly tools: ReadonlyMap<string, GenerateTool>;
  /** How often tools are run. */
  readonly maxToolRounds: number;
  /** Told of every step. */
  readonly onStep: GenerateOptions["onStep"];
}

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

function conversationOf({ prompt, messages, system }: GenerateOptions): readonly Message[] {
  if (prompt !== undefined && messages !== undefined) throw invalid("prompt", "give a prompt or messages, not both");
  const said = prompt === undefined ? messages : [textMessage("user", prompt)];
  if (said === undefined) throw invalid("prompt", "give a prompt or messages");
  return system === undefined ? said : [textMessage("system", system), ...said];
}

function toolsOf(tools: readonly GenerateTool[]): ReadonlyMap<string, GenerateTool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw invalid("tools", "two tools have the same name");
  return byName;
}

/** Checks the options. Throws `config.invalid`. */
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
  if (!(maxToolRounds >= 0)) throw invalid("maxToolRounds", "it is no number from 0 on");
  const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return {
    settings: definitions.length === 0 ? rest : { ...rest, tools: definitions },
    messages: conversationOf(options),
    tools: toolsOf(tools),
    maxToolRounds,
    onStep,
  };
}
