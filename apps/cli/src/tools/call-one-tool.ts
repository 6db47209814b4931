import { callTool } from "@switchyard/agent";
import { closestWord } from "@switchyard/contracts";
import { openEnvironment } from "@switchyard/environment";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import type { EnvironmentOptions } from "../environment/environment-options.ts";
import type { ProfileName } from "../model/profile-name.ts";
import type { ToolNames } from "../model/tool-names.ts";
import { profileOf } from "./profile-of.ts";

/** Options of the command `tools call`. */
export interface CallOptions extends EnvironmentOptions {
  /** Name of the tool. */
  tool: string;
  /** Family of models the tool is made for. */
  profile: ProfileName;
  /** Whose names the tools have. */
  toolNames?: ToolNames;
  /** Whether `web_fetch` is one of them. */
  web?: boolean;
  /** Folder to work in. */
  workspace?: string;
  /** Arguments as JSON, `-` for standard input. */
  args: string;
  /** Whether the result is printed as JSON. */
  json?: boolean;
}

/** What somebody who mistyped a name may have meant: the model's own message only lists what there is. */
function hintAtName({ stderr }: CommandContext, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const meant = closestWord(name, known);
  if (meant !== undefined) stderr.write(`hint: Did you mean ${meant}?\n`);
}

/**
 * Runs one tool through the whole pipeline and prints what a model would see. Resolves with exit code 0, 1 when the
 * tool failed, 130 when it was interrupted; rejects with `workspace.*`.
 */
export async function callOneTool(context: CommandContext, options: CallOptions): Promise<number> {
  const text = options.args === "-" ? await context.stdin.readAll() : options.args;
  const requester = { command: "tools call", isWorkspaceGiven: options.workspace !== undefined };
  const config = toEnvironmentConfig(context, options, requester);
  await using environment = await openEnvironment(config);
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => (stop.signal.aborted ? context.exit(130) : stop.abort()));
  try {
    const profile = await profileOf(options);
    hintAtName(context, options.tool, profile.toolRegistry.names());
    const { signal } = stop;
    // As a model would write them: what is wrong with them is the tool's to say. Editors begin files with a mark.
    const written = text.replace(/^\uFEFF/, "");
    context.progress.hasStarted = true;
    const outcome = await callTool({ profile, environment, name: options.tool, arguments: written, signal });
    const shown = context.stdout.isTerminal ? neutraliseControls(outcome.content) : outcome.content;
    context.stdout.write(options.json === true ? `${toPlainJson(outcome)}\n` : `${shown.replace(/\n?$/, "\n")}`);
    return signal.aborted ? 130 : outcome.isError ? 1 : 0;
  } finally {
    ignore();
  }
}
