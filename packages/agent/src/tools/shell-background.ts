import type {
  BackgroundCommandLine,
  BackgroundOutput,
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolOutput,
} from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { optionalNumber, textArgument } from "./tool-argument.ts";

const UNAVAILABLE: ToolOutput = {
  content: "Background commands need a session that ends them; here a command can only be run to its end.",
  isError: true,
};

/** Starts a background command. The output tells the model its id. */
export async function startInBackground(command: BackgroundCommandLine, context: ToolCallContext): Promise<ToolOutput> {
  const { background, callId } = context;
  if (background === undefined) return UNAVAILABLE;
  const started = await background.start(callId, command);
  return {
    content: `The command runs in the background. Its id: ${started.id}\nUse this id to read its output. The command is ended when the session ends.`,
    details: { background: started },
  };
}

/** Creates the output for an id that belongs to no background command of this process. */
function unknownCommand(id: string, { background }: ToolCallContext): ToolOutput {
  if (background === undefined) return UNAVAILABLE;
  if (background.isOfConversation(id)) {
    const content = `The background command ${id} is lost: the run was cut off after the command was started, so the command has ended. Output that was not read is lost. Start the command again if it is still needed.`;
    return { content, isError: true, details: { id, isLost: true } };
  }
  const known = background.list().map((command) => command.id);
  const list = known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`;
  return { content: `There is no background command ${JSON.stringify(id)}. ${list}`, isError: true };
}

function stateOf({ isRunning, exitCode, signal, durationMs }: BackgroundOutput): string {
  const duration = `${Math.round(durationMs)}ms`;
  if (isRunning) return `[Still running after ${duration}.]`;
  return `[Exit code: ${exitCode}${signal === undefined ? "" : ` (${signal})`}. Duration: ${duration}]`;
}

function render(state: BackgroundOutput): string {
  const { output, droppedChars, isRunning } = state;
  const dropped = droppedChars > 0 ? `[${droppedChars} characters before this were dropped; ask more often.]\n` : "";
  const text = output === "" && isRunning ? "[No new output.]" : output;
  return `${dropped}${text === "" || text.endsWith("\n") ? text : `${text}\n`}${stateOf(state)}`;
}

function toOutput(state: BackgroundOutput): ToolOutput {
  const { output: _, ...details } = state;
  return { content: render(state), details };
}

async function pollOutput(args: ToolArguments, context: ToolCallContext): Promise<ToolOutput> {
  const id = textArgument(args, "id");
  const { signal, commandTimeouts, background } = context;
  const waitMs = Math.min(optionalNumber(args, "wait_ms") ?? 0, commandTimeouts.maxMs);
  const state = await background?.poll(id, { waitMs, signal });
  return state === undefined ? unknownCommand(id, context) : toOutput(state);
}

async function killCommand(args: ToolArguments, context: ToolCallContext): Promise<ToolOutput> {
  const id = textArgument(args, "id");
  const state = await context.background?.kill(id);
  return state === undefined ? unknownCommand(id, context) : toOutput(state);
}

const ID = { type: "string", minLength: 1, description: "Id that shell gave when the command was started." } as const;

/** Tool that returns new output of a background command and whether it is still running. */
export const shellOutputTool: RegisteredTool = {
  definition: {
    name: "shell_output",
    description:
      "Get what a background command printed since the last call, and whether it is still running or its exit code.",
    parameters: objectSchema(
      {
        id: ID,
        wait_ms: {
          type: "integer",
          minimum: 0,
          description: "Wait so long for the command to end, in milliseconds (default 0).",
        },
      },
      ["id"],
    ),
  },
  // After a crash, the background command is gone. A repeated call is harmless and reports an unknown command.
  effects: "idempotent",
  needsHost: false,
  targets: () => ({}),
  execute: (args, _, context) => pollOutput(args, context),
};

/** Tool that ends a background command and all processes it started. */
export const shellKillTool: RegisteredTool = {
  definition: {
    name: "shell_kill",
    description: "End a background command and everything it started. Returns its last output.",
    parameters: objectSchema({ id: ID }, ["id"]),
  },
  effects: "idempotent",
  needsHost: false,
  targets: () => ({}),
  execute: (args, _, context) => killCommand(args, context),
};
