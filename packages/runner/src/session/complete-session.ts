import { isoTime, type SessionReport, toEngineError } from "@switchyard/contracts";
import { warnOfBudget } from "../preflight/warn-of-budget.ts";
import { runAttempts } from "../retry/run-attempts.ts";
import { beginSnapshot } from "../workspace-changes/begin-snapshot.ts";
import { armStops } from "./execute-engine.ts";
import { finishSession, reportError } from "./finish-session.ts";
import type { RunningSession } from "./running-session.ts";

/**
 * Runs a session to its end. Never rejects: failures of the engine, the disk or the runner are part of the report. See
 * durability promises D7, D10.
 */
export async function completeSession(session: RunningSession): Promise<SessionReport> {
  try {
    return await run(session);
  } catch (error) {
    reportError(session, error);
    const report = failedReport(session, error);
    await abandon(session, report.timing.finishedAt);
    return report;
  }
}

async function run(session: RunningSession): Promise<SessionReport> {
  const { timer } = session.plan;
  await warnOfBudget(session);
  const disarm = armStops(session);
  const snapshot = await beginSnapshot(session);
  const engineStartedMs = timer.monotonic();
  const ending = await runAttempts(session);
  const engineMs = Math.round(timer.monotonic() - engineStartedMs);
  disarm();
  return finishSession(session, { ending, engineMs, snapshot });
}

/**
 * Closes all resources of the session. If this writer still holds the lease (the right to write to the run), stores
 * that the run has ended.
 */
async function abandon({ plan, stop, journal, record, recording }: RunningSession, finishedAt: string): Promise<void> {
  stop.release();
  await recording.close().catch(() => undefined);
  await journal.end().catch(() => undefined);
  await record.giveUp({ status: "error", finished_at: finishedAt });
  if (plan.ownsEnvironment) await Promise.resolve(plan.environment[Symbol.asyncDispose]()).catch(() => undefined);
}

function failedReport(session: RunningSession, error: unknown): SessionReport {
  const { plan, events, usage, writer } = session;
  return {
    ...plan.masker.maskData({
      runId: plan.runId,
      engine: plan.engineName,
      environment: plan.environment.name,
      status: "error" as const,
      error: toEngineError(error).toWire(),
      artifacts: [],
      warnings: [...events.warnings],
      usage: usage.total(),
    }),
    timing: {
      startedAt: writer.record.started_at ?? writer.record.created_at,
      finishedAt: isoTime(plan.now()),
      durationMs: Math.round(session.activeMs()),
    },
    runFolder: writer.folder,
  };
}
