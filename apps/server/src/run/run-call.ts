import type { IncomingMessage } from "node:http";
import {
  EngineError,
  RESUMABLE_RUN_STATUSES,
  type SessionInput,
  type SessionReport,
  type SessionResult,
  type WireError,
} from "@switchyard/contracts";
import { createRunId, sessionMasker, startSession } from "@switchyard/runner";
import { readCall } from "../body/read-call.ts";
import type { RunAdopter } from "../runs/run-dispatcher.ts";
import type { RunsParts } from "../runs/runs-parts.ts";
import { bodyLimitsOf } from "../server/body-limits-of.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { inlineArtifacts } from "./inline-artifacts.ts";
import { observerOf, traceparentOf } from "./observer-of.ts";
import type { RunSlot } from "./run-executor.ts";
import { openRunWorkspace, type RunWorkspace } from "./run-workspace.ts";
import { shorterLimit } from "./shorter-limit.ts";

/** Parts of a server that are needed to execute a run whose caller waits for the result. */
interface CallParts extends Pick<RunsParts, "options" | "store"> {
  readonly adopter: RunAdopter;
}

/**
 * Reads a `POST /v1/run` request, runs the task in a workspace and returns the outcome. Rejects if the run cannot
 * start, with `server.owner_limit` if its owner is at a limit. See custom-engine: HTTP transport, error handling.
 */
export async function runCall(
  request: IncomingMessage,
  { slot, owner }: { slot: RunSlot; owner: string },
  parts: CallParts,
): Promise<CallOutcome> {
  const { options } = parts;
  const { now = Date.now } = options;
  const runId = createRunId(now());
  const workspace = await openRunWorkspace(runId, options);
  let isRetained = false;
  try {
    const limits = bodyLimitsOf(options, slot.stopped);
    const input = await workspace.withFiles((takeFile) => readCall(request, { ...limits, takeFile }));
    const call = { runId, owner, input, workspace, traceparent: traceparentOf(request) };
    const report = await runSession(call, slot, parts);
    isRetained = canResume(report, slot);
    return await outcomeOf(report, options);
  } finally {
    if (!isRetained) await workspace.remove();
  }
}

interface Call {
  readonly runId: string;
  readonly owner: string;
  readonly input: SessionInput;
  readonly workspace: RunWorkspace;
  readonly traceparent: string | undefined;
}

async function runSession(
  { runId, owner, input, workspace, traceparent }: Call,
  slot: RunSlot,
  { options, adopter, store }: CallParts,
): Promise<SessionReport> {
  const { session, stateDirectory, openEnvironment, settings, maxRunSeconds, now, onError } = options;
  slot.stopped.throwIfAborted();
  // If the shared budgets (spending limits) allow no further run, the run is refused before its environment is opened.
  const budget = await session.openSharedBudget?.({ owner, signal: slot.stopped });
  let status: SessionReport["status"] = "error";
  let end: ((status: SessionReport["status"]) => void) | undefined;
  try {
    const { live, onStart, ...adopted } = adopter.adopt({ runId, owner }, slot);
    end = adopted.end;
    const handle = await startSession(
      { ...input, workspace: workspace.path, ...shorterLimit(maxRunSeconds, input) },
      {
        ...{
          ...session,
          runId,
          owner,
          store,
          stateDirectory,
          now,
          onError,
          signal: slot.cancelled,
          observer: observerOf(live, options, traceparent),
        },
        openSharedBudget: async () => budget,
        environment: openEnvironment(workspace.path, slot.stopped),
        settings: settings?.(workspace.path),
      },
    );
    onStart(handle);
    const report = await handle.result;
    status = report.status;
    return report;
  } finally {
    await budget?.close();
    end?.(status);
  }
}

/**
 * Returns whether a run can be resumed and its workspace must therefore be retained. The operator can resume runs that
 * the server stopped at shutdown, but not runs whose callers disconnected.
 */
function canResume({ status }: SessionReport, { interrupt }: RunSlot): boolean {
  return interrupt?.cause === "host_shutdown" && RESUMABLE_RUN_STATUSES.includes(status);
}

/** Returns the outcome of a run, with the contents of its artifacts. `readArtifact` is that of `inlineArtifacts`. */
export async function outcomeOf(
  report: SessionReport,
  { session }: Pick<ServerOptions, "session">,
  readArtifact?: (path: string) => Promise<Uint8Array>,
): Promise<CallOutcome> {
  const { runId, status, result, error } = report;
  if (result === undefined) return { runId, status, error: error ?? new EngineError("run.no_result").toWire() };
  const complete = await inlineArtifacts(result, { ...report, readArtifact }, sessionMasker(session));
  return { runId, status, result: error === undefined ? complete : withReason(complete, error) };
}

/** Appends the error message to `stderr` of a result, if the run had a result but did not end normally. */
function withReason(result: SessionResult, { message }: WireError): SessionResult {
  const stderr = result.stderr ?? "";
  if (stderr.includes(message)) return result;
  return { ...result, stderr: [stderr.trimEnd(), message].filter((part) => part !== "").join("\n") };
}
