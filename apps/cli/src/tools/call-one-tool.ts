import { callTool } from "@switchyard/agent";
import { closestWord } from "@switchyard/contracts";
import { openEnvironment } from "@switchyard/environment";
import { openConfiguredEnvironment } from "@switchyard/runner";
import type { EnvironmentOptions } from "@switchyard/settings";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import { profileOf, type ToolOptions } from "./profile-of.ts";

/** Options of the command `tools call`. */
export interface CallOptions extends ToolOptions, EnvironmentOptions {
  /** Name of the tool. */
  tool: string;
  /** Workspace folder. */
  workspace?: string;
  /** Arguments as JSON, or `-` to read them from standard input. */
  args: string;
}

/** Suggests similar tool names to the user. The message that a model gets only lists the available tools. */
function hintAtName({ stderr }: CommandContext, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const meant = closestWord(name, known);
  if (meant !== undefined) stderr.write(`hint: Did you mean ${meant}?\n`);
}

/**
 * Calls one tool exactly as the agent would, and prints what a model would see. Resolves with exit code 0, 1 if the
 * tool failed, or 130 if it was interrupted. Rejects with `workspace.*`.
 */
export async function callOneTool(context: CommandContext, options: CallOptions): Promise<number> {
  const text = options.args === "-" ? await context.stdin.readAll() : options.args;
  const requester = { command: "tools call", isWorkspaceGiven: options.workspace !== undefined };
  const config = toEnvironmentConfig(context, options, requester);
  await using environment = (await openConfiguredEnvironment(config, openEnvironment)).environment;
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => (stop.signal.aborted ? context.exit(130) : stop.abort()));
  try {
    const profile = await profileOf(options);
    hintAtName(context, options.tool, profile.toolRegistry.names());
    // Unparsed, like a model's arguments, so that the tool reports syntax errors. Some editors add a byte order mark.
    const written = text.replace(/^\uFEFF/, "");
    context.progress.hasStarted = true;
    const call = { profile, environment, name: options.tool, arguments: written, signal: stop.signal };
    const outcome = await callTool(call);
    const shown = context.stdout.isTerminal ? neutraliseControls(outcome.content) : outcome.content;
    context.stdout.write(options.json === true ? `${toPlainJson(outcome)}\n` : `${shown.replace(/\n?$/, "\n")}`);
    return stop.signal.aborted ? 130 : outcome.isError ? 1 : 0;
  } finally {
    ignore();
  }
}
