import { resolve } from "node:path";
import type { ChatHost, ChatTurn } from "@switchyard/chat";
import { EngineError, type SessionInput, type SessionReport } from "@switchyard/contracts";
import { acceptsSteering } from "@switchyard/engine-catalog";
import type { McpPool } from "@switchyard/mcp";
import { exitCodeOf, withHistory } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";
import { findEarlierRun } from "../history/find-earlier-run.ts";
import { prepareRun, withClaimedRun } from "../run/prepare-run.ts";
import { resumeCommand } from "../run/resume-hint.ts";
import type { RunCommandOptions } from "../run/run-command-options.ts";
import { watchPrepared } from "../run/watch-prepared.ts";
import { withInputOptions } from "../run/with-input-options.ts";
import type { ChatCommandOptions } from "./chat-command-options.ts";

/**
 * Creates the function that performs the turns of an interactive session. Each turn is a run with the options of the
 * command, which continues the conversation of an earlier run. `mcpPool` keeps MCP servers open between turns.
 */
export function performTurn(
  outer: CommandContext,
  options: ChatCommandOptions,
  mcpPool: McpPool | undefined,
): ChatHost["runTurn"] {
  return async (turn, display) => {
    const context = { ...outer, stderr: display.stderr };
    const { settings, from } = turn;
    const earlier = from === undefined ? undefined : await findEarlierRun(context, { ...options, from });
    const chosen: RunCommandOptions = {
      ...withoutSelection(options, settings.mode !== undefined),
      ...{ engine: settings.engine, model: settings.model, prompt: turn.prompt, forkedFrom: earlier?.runId },
      mode: settings.mode,
    };
    const isSameEngine = earlier?.engine === settings.engine;
    const { session_id: sessionId, ...task } = withHistory(inputOf(context, turn, options), earlier);
    const input = withInputOptions(
      context,
      chosen,
      isSameEngine && sessionId !== undefined ? { ...task, session_id: sessionId } : task,
    );
    let report: SessionReport | undefined;
    await withClaimedRun({ context, options: chosen }, { input, command: "chat", mcpPool }, async (there, claimed) => {
      const { start, opened, isResumable } = await prepareRun(there, chosen, claimed);
      const session = { start, opened, ...claimed.permissions };
      const shown = await watchPrepared(there, session, {
        openView: (handle) => display.openView(handle, acceptsSteering(opened)),
        resumeCommand: isResumable ? (runId) => resumeCommand(runId, options) : undefined,
        ask: display.ask,
      });
      report = shown.report;
      return exitCodeOf(report);
    });
    if (report === undefined) throw new EngineError("run.no_result");
    return report;
  };
}

function inputOf(
  context: CommandContext,
  { prompt, images }: ChatTurn,
  { workspace }: ChatCommandOptions,
): SessionInput {
  const message = { role: "user" as const, content: prompt, ...(images.length === 0 ? {} : { images: [...images] }) };
  return { messages: [message], workspace: resolve(context.workingDirectory, workspace ?? ".") };
}

/** Removes the options that apply only to the start of the session: the earlier conversation and the permissions. */
function withoutSelection(
  { continue: _, from: __, approve, ...options }: ChatCommandOptions,
  hasMode: boolean,
): Omit<ChatCommandOptions, "continue" | "from"> {
  return hasMode || approve === undefined ? options : { ...options, approve };
}
