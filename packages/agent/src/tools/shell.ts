import {
  type ExecResult,
  type ExecutionEnvironment,
  messageOf,
  type OutputReference,
  type RegisteredTool,
  type ToolArguments,
  type ToolCallContext,
  type ToolOutput,
} from "@switchyard/contracts";
import { LargeOutput } from "../pipeline/spool-output.ts";
import { objectSchema } from "./object-schema.ts";
import { startInBackground } from "./shell-background.ts";
import { flagArgument, optionalNumber, optionalText, textArgument } from "./tool-argument.ts";
import { commandTarget } from "./tool-targets.ts";

/**
 * Maximum number of characters of an output that are shown while the command runs, if the complete output is stored
 * separately. Further output is not shown.
 */
const MAX_SHOWN_CHARS = 1024 * 1024;

/**
 * Maximum output per stream, in characters, that is included in the event that ends the call. Applies if the output is
 * not stored in a file of its own. See loop: §2.9.
 */
const MAX_COMPLETE_CHARS = 16 * 1024 * 1024;

function section(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

interface Timeout {
  readonly timeoutMs: number;
  /** Name of the timeout parameter as the model sees it. */
  readonly parameter: string;
}

function endOf(result: ExecResult, { timeoutMs, parameter }: Timeout): string {
  if (result.timedOut) {
    return `[ERROR: Command timed out after ${timeoutMs}ms. Partial output is shown above. You can retry with a longer timeout by setting the ${parameter} parameter.]`;
  }
  if (result.aborted) return "[The command was cancelled. Partial output is shown above.]";
  const signal = result.signal === undefined ? "" : ` (${result.signal})`;
  return `[Exit code: ${result.exitCode}${signal}. Duration: ${Math.round(result.durationMs)}ms]`;
}

/**
 * Returns a note if processes that the command left running were ended, because the model might otherwise rely on these
 * processes.
 */
function endedNote({ endedProcesses }: ExecResult, backgroundParameter: string): string {
  return endedProcesses === true
    ? `\n[Processes that the command left running were ended when it finished. Set ${backgroundParameter} to keep a command running.]`
    : "";
}

function render(result: ExecResult, timeout: Timeout): string {
  const dropped =
    result.droppedBytes > 0 ? `[${result.droppedBytes} bytes were dropped from the middle of the output.]\n` : "";
  return `${section(result.stdout)}${section(result.stderr)}${dropped}${endOf(result, timeout)}`;
}

/** Returns the requested timeout or the default, limited to the maximum. See loop: §5.4. */
function timeoutOf(args: ToolArguments, timeouts: ToolCallContext["commandTimeouts"]): number {
  const requested = optionalNumber(args, "timeout_ms") ?? timeouts.defaultMs;
  return Math.min(requested, timeouts.maxMs);
}

/**
 * Returns a callback that passes on only the beginning of an output that is stored separately. This limits the memory
 * for events that slow readers have not received.
 */
function showBeginning(onUpdate: ToolCallContext["onUpdate"]): ToolCallContext["onUpdate"] {
  let shown = 0;
  return (text) => {
    if (shown > MAX_SHOWN_CHARS) return;
    shown += text.length;
    onUpdate(text);
    if (shown > MAX_SHOWN_CHARS) onUpdate("\n[More is not shown; it is kept with the run.]\n");
  };
}

interface StoredOutput {
  readonly outputRef?: OutputReference | undefined;
  /** Note for the model if the output could not be stored. Empty otherwise. */
  readonly note: string;
}

async function finish(largeOutput: LargeOutput | undefined): Promise<StoredOutput> {
  try {
    return { outputRef: await largeOutput?.finish(), note: "" };
  } catch (error) {
    return { note: `\n[The whole output could not be stored: ${messageOf(error)}]` };
  }
}

async function shell(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const command = textArgument(args, "command");
  const cwd = optionalText(args, "cwd");
  if (flagArgument(args, "background")) return startInBackground({ command, cwd }, context);
  const timeoutMs = timeoutOf(args, context.commandTimeouts);
  const largeOutput = context.spool === undefined ? undefined : new LargeOutput(context.spool, context.callId);
  const show = largeOutput === undefined ? context.onUpdate : showBeginning(context.onUpdate);
  const onOutput = ({ text }: { readonly text: string }): void => {
    largeOutput?.write(text);
    show(text);
  };
  const maxOutputChars = largeOutput === undefined ? MAX_COMPLETE_CHARS : undefined;
  let stored: StoredOutput = { note: "" };
  let result: ExecResult;
  try {
    result = await environment.shell(command, { cwd, timeoutMs, signal: context.signal, onOutput, maxOutputChars });
  } finally {
    // The file with the stored output must be closed even if the command could not run.
    stored = await finish(largeOutput);
  }
  const { exitCode, signal, timedOut, aborted, durationMs, droppedBytes, endedProcesses } = result;
  const nameOf = (parameter: string): string => context.parameterName?.(parameter) ?? parameter;
  const ended = endedNote(result, nameOf("background"));
  return {
    content: render(result, { timeoutMs, parameter: nameOf("timeout_ms") }) + ended + stored.note,
    outputRef: stored.outputRef,
    details: { exitCode, signal, timedOut, aborted, durationMs, droppedBytes, endedProcesses },
    isError: exitCode !== 0 || timedOut || aborted,
  };
}

/** Tool that runs a command in the platform's shell. See loop: shell, §3.3. */
export const shellTool: RegisteredTool = {
  definition: {
    name: "shell",
    description: "Execute a shell command in the working directory. Returns stdout, stderr, and exit code.",
    parameters: objectSchema(
      {
        command: { type: "string", minLength: 1, description: "The command to run." },
        timeout_ms: { type: "integer", minimum: 1, description: "Override the default timeout, in milliseconds." },
        cwd: { type: "string", description: "Directory to run in (default: the working directory)." },
        description: { type: "string", description: "What the command does, in a few words for the user." },
        background: {
          type: "boolean",
          description:
            "Do not wait for the command, for example a server: returns an id for shell_output and shell_kill at once. It has no timeout.",
        },
      },
      ["command"],
    ),
  },
  effects: "unsafe",
  needsHost: false,
  targets: commandTarget,
  execute: shell,
};
