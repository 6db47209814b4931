import type {
  ExecResult,
  ExecutionEnvironment,
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolOutput,
} from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { optionalNumber, textArgument } from "./tool-argument.ts";

function section(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function endOf(result: ExecResult, timeoutMs: number): string {
  if (result.timedOut) {
    return `[ERROR: Command timed out after ${timeoutMs}ms. Partial output is shown above. You can retry with a longer timeout by setting the timeout_ms parameter.]`;
  }
  if (result.aborted) return "[The command was cancelled. Partial output is shown above.]";
  const signal = result.signal === undefined ? "" : ` (${result.signal})`;
  return `[Exit code: ${result.exitCode}${signal}. Duration: ${Math.round(result.durationMs)}ms]`;
}

function render(result: ExecResult, timeoutMs: number): string {
  const dropped =
    result.droppedBytes > 0 ? `[${result.droppedBytes} bytes were dropped from the middle of the output.]\n` : "";
  return `${section(result.stdout)}${section(result.stderr)}${dropped}${endOf(result, timeoutMs)}`;
}

/** The call's timeout or the default, never more than the maximum. loop: §5.4. */
function timeoutOf(args: ToolArguments, timeouts: ToolCallContext["commandTimeouts"]): number {
  const asked = optionalNumber(args, "timeout_ms") ?? timeouts.defaultMs;
  return Math.min(asked, timeouts.maxMs);
}

async function shell(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const timeoutMs = timeoutOf(args, context.commandTimeouts);
  const result = await environment.shell(textArgument(args, "command"), {
    timeoutMs,
    signal: context.signal,
    onOutput: (chunk) => context.onUpdate(chunk.text),
  });
  const { exitCode, signal, timedOut, aborted, durationMs, droppedBytes } = result;
  return {
    content: render(result, timeoutMs),
    details: { exitCode, signal, timedOut, aborted, durationMs, droppedBytes },
    isError: exitCode !== 0 || timedOut || aborted,
  };
}

/** Runs a command in the platform's shell. loop: shell, §3.3. */
export const shellTool: RegisteredTool = {
  definition: {
    name: "shell",
    description: "Execute a shell command in the working directory. Returns stdout, stderr, and exit code.",
    parameters: objectSchema(
      {
        command: { type: "string", minLength: 1, description: "The command to run." },
        timeout_ms: { type: "integer", minimum: 1, description: "Override the default timeout, in milliseconds." },
        description: { type: "string", description: "What the command does, in a few words for the user." },
      },
      ["command"],
    ),
  },
  effects: "unsafe",
  execute: shell,
};
