import {
  isJsonObject,
  type JsonObject,
  type MeasuredTokens,
  numberAt,
  objectAt,
  parseJsonLine,
} from "@switchyard/adapter-kit";
import type { CopilotState } from "./copilot-state.ts";

/** Time limit for reading the file of a session, in milliseconds. */
const READ_MS = 10_000;
/** Matches session ids that can safely be part of a path. */
const PLAIN_ID = /^[A-Za-z0-9-]+$/u;
/**
 * Shell script that prints the last two usage totals in the session's file: those of this turn and of the turn before.
 * A script is used because the file may be very long.
 */
const READ_SUMS =
  'home=$COPILOT_HOME; [ -n "$home" ] || home=$HOME/.copilot; ' +
  'grep -F \'"type":"session.shutdown"\' -- "$home/session-state/$1/events.jsonl" | tail -n 2';
const FIELDS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/**
 * Resolves with the usage of the finished turn, from the file in which `copilot` stores the session. The output of
 * `copilot` contains no usage. `undefined` if the file cannot be read. See agent-adapter: Copilot CLI.
 */
export async function readTokens({ target, sessionId }: CopilotState): Promise<MeasuredTokens | undefined> {
  if (!PLAIN_ID.test(sessionId)) return undefined;
  // The folder of a sandbox replaces the folder that the user configured.
  const home = target.plainVariables?.["COPILOT_HOME"] ?? target.variables["COPILOT_HOME"]?.reveal();
  try {
    const { stdout, exitCode } = await target.environment.exec(["sh", "-c", READ_SUMS, "sh", sessionId], {
      ...{ cwd: target.workspacePath, timeoutMs: READ_MS },
      env: { policy: "core", set: home === undefined ? {} : { COPILOT_HOME: home } },
    });
    return exitCode === 0 ? difference(stdout.split("\n").filter((line) => line !== "")) : undefined;
  } catch {
    // Errors are ignored, because missing usage must not fail a finished turn.
    return undefined;
  }
}

/**
 * Returns the usage of the last turn: the difference between the last two totals. Totals grow over the whole session.
 */
function difference(lines: readonly string[]): MeasuredTokens | undefined {
  const sums = lines.map((line) => objectAt(objectAt(parseJsonLine(line), "data"), "modelMetrics"));
  const last = sums.at(-1);
  if (last === undefined || Object.keys(last).length === 0) return undefined;
  const before = sums.length > 1 ? sums[0] : undefined;
  const counts = FIELDS.map((field) => [field, sumOf(last, field) - (before === undefined ? 0 : sumOf(before, field))]);
  return Object.fromEntries(counts);
}

function sumOf(models: JsonObject, field: (typeof FIELDS)[number]): number {
  const used = Object.values(models).filter(isJsonObject);
  return used.reduce((sum, model) => sum + (numberAt(objectAt(model, "usage"), field) ?? 0), 0);
}
