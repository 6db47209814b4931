import { type EventPayloads, messageOf, type ToolCallPart, type ToolResultPart } from "@switchyard/contracts";
import type { ToolResultsTurn } from "../conversation/turn.ts";
import type { CallGate } from "../pipeline/ready-call.ts";
import { runTool } from "../pipeline/run-tool.ts";
import { isLargeOutcome, type SpooledOutcome, spoolOutput } from "../pipeline/spool-output.ts";
import type { ToolOutcome } from "../pipeline/tool-outcome.ts";
import { elapsedSince } from "../session/elapsed-since.ts";
import type { SessionCore } from "../session/session-core.ts";
import { outputLimitsOf } from "../truncation/output-limits.ts";
import { truncateOutput } from "../truncation/truncate-tool-output.ts";
import { type CallPosition, callPositions } from "./call-order.ts";
import { createCallGate } from "./create-call-gate.ts";
import { repeatedOutcome } from "./repeated-calls.ts";
import { SessionToolRun } from "./session-tool-run.ts";

/** What came of a call. */
export interface ExecutedCall {
  /** What the model is told. */
  readonly result: ToolResultPart;
  /** How long it took, in milliseconds; null where nobody knows. */
  readonly durationMs: number | null;
}

/** What the end event says of an output; one that is too large for it is kept elsewhere. architecture: decision 10. */
async function spoolLargeOutput(core: SessionCore, callId: string, outcome: ToolOutcome): Promise<SpooledOutcome> {
  if (core.spool === undefined) return outcome;
  const kept = await spoolOutput(outcome, core.spool, callId);
  if (kept.error !== undefined) {
    const message = `The output of ${callId} could not be kept with the run: ${messageOf(kept.error)}`;
    core.emit("warning", { message, kind: "output_not_kept" });
  }
  return kept;
}

/** A call whose start was told. */
interface StartedCall {
  readonly core: SessionCore;
  readonly call: ToolCallPart;
  readonly gate: CallGate | undefined;
  readonly startedMs: number;
}

/** How a call ended. */
interface EndedTool {
  readonly outcome: ToolOutcome;
  /** What its end event says of the output. */
  readonly kept: SpooledOutcome;
  readonly durationMs: number;
}

/** Tells the end of a call, and gives what the model sees of it. loop: §3.8 steps 4 and 5, §5. */
function emitEnd({ core, call }: StartedCall, { outcome, kept, durationMs }: EndedTool): ExecutedCall {
  const { id, name } = call;
  const { isError } = outcome;
  const ended: EventPayloads["tool_call_end"] = {
    type: "tool_result",
    tool_call_id: id,
    name,
    content: kept.content,
    is_error: isError,
    duration_ms: durationMs,
  };
  if (kept.outputRef !== undefined) ended.output_ref = { ...kept.outputRef };
  if (outcome.isCancelled) ended.cancelled = true;
  if (outcome.details !== undefined) ended.details = outcome.details;
  core.emit("tool_call_end", ended);
  const limits = outputLimitsOf(name, core.config, core.registry.get(name));
  const content = truncateOutput(outcome.content, limits);
  const result: ToolResultPart = { type: "tool_result", toolCallId: id, name, content, isError };
  if (outcome.images !== undefined && outcome.images.length > 0) result.images = outcome.images;
  return { result, durationMs };
}

/** Ends a call whose output has to be kept elsewhere first. */
async function endLarge(started: StartedCall, outcome: ToolOutcome, durationMs: number): Promise<ExecutedCall> {
  const kept = await spoolLargeOutput(started.core, started.call.id, outcome);
  return emitEnd(started, { outcome, kept, durationMs });
}

/** Ends a call, at once where its output fits into an event. */
function endCall(started: StartedCall, outcome: ToolOutcome): ExecutedCall | Promise<ExecutedCall> {
  const { core, gate, startedMs } = started;
  const durationMs = elapsedSince(gate?.enteredMs ?? startedMs, core.now);
  if (isLargeOutcome(outcome)) return endLarge(started, outcome, durationMs);
  return emitEnd(started, { outcome, kept: outcome, durationMs });
}

/** Runs a call whose start was told. */
function executeCall(
  core: SessionCore,
  call: ToolCallPart,
  gate: CallGate | undefined,
): ExecutedCall | Promise<ExecutedCall> {
  const started: StartedCall = { core, call, gate, startedMs: core.now() };
  const repeated = repeatedOutcome(call);
  if (repeated !== undefined) return endCall(started, repeated);
  core.toolRun ??= new SessionToolRun(core);
  const running = runTool(call, core.toolRun, gate);
  // Bound: a function that a closure is made in takes memory for it also where none is made.
  return running instanceof Promise ? running.then(endCall.bind(undefined, started)) : endCall(started, running);
}

/**
 * One call with its events: start, output while it arrives, end with the whole output. At once where nothing has to be
 * waited for, as each wait costs about as much as all the rest of a call. loop: execute_single_tool, §2.5.
 */
export function executeSingleTool(
  core: SessionCore,
  call: ToolCallPart,
  place?: CallPosition,
): ExecutedCall | Promise<ExecutedCall> {
  const { id, name } = call;
  core.emit("tool_call_start", { type: "tool_call", id, name, arguments: call.arguments });
  const gate = createCallGate(core, place);
  if (!core.events.isAwaited) return executeCall(core, call, gate);
  return core.events.waitForReaders().then(executeCall.bind(undefined, core, call, gate));
}

/** Carries out one call of an answer. */
type RunCall = typeof executeSingleTool;

/** Runs calls side by side; where somebody decides about them, in the order of the calls. */
function runSideBySide(core: SessionCore, calls: readonly ToolCallPart[], run: RunCall): Promise<ExecutedCall[]> {
  if (core.approve === undefined) return Promise.all(calls.map((call) => run(core, call)));
  const places = callPositions(calls.length);
  return Promise.all(
    calls.map(async (call, index) => {
      try {
        return await run(core, call, places[index]);
      } finally {
        places[index]?.decide();
      }
    }),
  );
}

async function runInOrder(core: SessionCore, calls: readonly ToolCallPart[], run: RunCall): Promise<ExecutedCall[]> {
  if (core.profile.supportsParallelToolCalls) return runSideBySide(core, calls, run);
  const executed: ExecutedCall[] = [];
  for (const call of calls) executed.push(await run(core, call));
  return executed;
}

/** What came of the calls of an answer. */
function toTurn(
  core: SessionCore,
  results: readonly ToolResultPart[],
  durationsMs: readonly (number | null)[],
): ToolResultsTurn {
  return { type: "tool_results", results, durationsMs, timestamp: core.events.timestamp() };
}

/** The same of one call. */
function oneToTurn(core: SessionCore, { result, durationMs }: ExecutedCall): ToolResultsTurn {
  return toTurn(core, [result], [durationMs]);
}

async function runAll(core: SessionCore, calls: readonly ToolCallPart[], run: RunCall): Promise<ToolResultsTurn> {
  const executed = await runInOrder(core, calls, run);
  const results = executed.map(({ result }) => result);
  const durationsMs = executed.map(({ durationMs }) => durationMs);
  return toTurn(core, results, durationsMs);
}

/**
 * Runs the calls of an answer, side by side where the profile allows it; results come in the order of the calls, and at
 * once where nothing has to be waited for. loop: execute_tool_calls, §2.5.
 */
export function runCalls(
  core: SessionCore,
  calls: readonly ToolCallPart[],
  run: RunCall = executeSingleTool,
): ToolResultsTurn | Promise<ToolResultsTurn> {
  const first = calls[0];
  if (first === undefined || calls.length > 1) return runAll(core, calls, run);
  const executed = run(core, first);
  return executed instanceof Promise ? executed.then(oneToTurn.bind(undefined, core)) : oneToTurn(core, executed);
}
