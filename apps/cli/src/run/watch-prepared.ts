import type { SessionReport } from "@switchyard/contracts";
import { sessionMasker } from "@switchyard/runner";
import { openQuestions, type QuestionsOptions, type WatchOptions, watchSession } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { openTelemetryOf } from "../telemetry/open-telemetry-of.ts";
import type { PreparedSession } from "./prepared-session.ts";

/**
 * Starts a prepared session, and shows it until it ends. Asks the user the session's questions. Prints the stack traces
 * of its errors if `--debug` is given.
 */
export async function watchPrepared(
  context: CommandContext,
  { start, opened, approvalChoice }: Pick<PreparedSession, "start" | "opened" | "approvalChoice">,
  { openView, resumeCommand, ask }: WatchOptions & Pick<QuestionsOptions, "ask">,
): Promise<{ readonly report: SessionReport; readonly isLeftOpen: boolean }> {
  const errors: unknown[] = [];
  const questions = openQuestions(context, {
    ...{ ask, masker: async () => sessionMasker(opened) },
    asksApprovals: approvalChoice.approve !== "never",
    hasDenials: (approvalChoice.deny ?? []).length > 0,
  });
  await using telemetry = await openTelemetryOf(context);
  const hooks = {
    onError: (error: unknown) => void errors.push(error),
    userPrompter: questions.prompter,
    observer: telemetry?.observe({ engine: opened.engineName ?? "agent", traceparent: context.env["TRACEPARENT"] }),
  };
  const report = await watchSession(context, (signal) => start({ signal, ...hooks }), {
    openView: async (handle) => questions.watch(handle, await openView(handle)),
    resumeCommand,
  });
  for (const error of errors) await printStacks(context, error);
  return { report, isLeftOpen: questions.isLeftOpen };
}
