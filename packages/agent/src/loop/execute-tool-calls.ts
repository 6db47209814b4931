import { type EventPayloads, messageOf, type ToolCallPart, type ToolResultPart } from "@switchyard/contracts";
import type { ToolResultsTurn } from "../conversation/turn.ts";
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

/** Result of a tool call. */
export interface ExecutedCall {
  /** Result for the model. */
  readonly result: ToolResultPart;
  /** Duration in milliseconds. `null` if unknown. */
  readonly durationMs: number | null;
}

/** Stores an output that is too large for the end event. See architecture: decision 10. */
async function spoolLargeOutput(core: SessionCore, callId: string, outcome: ToolOutcome): Promise<SpooledOutcome> {
  if (core.spool === undefined) return outcome;
  const spooled = await spoolOutput(outcome, core.spool, callId);
  if (spooled.error !== undefined) {
    const message = `The output of ${callId} could not be stored with the run: ${messageOf(spooled.error)}`;
    core.emit("warning", { message, kind: "output_not_kept" });
  }
  return spooled;
}

/** End of a call. */
interface EndedTool {
  readonly outcome: ToolOutcome;
  /** Output in the format of the event that reports the end of the call. */
  readonly spooled: SpooledOutcome;
  readonly durationMs: number;
}

/** Emits the end event of a tool call and returns the call's result for the model. See loop: §3.8 steps 4 and 5, §5. */
function emitEnd(
  core: SessionCore,
  { id, name }: ToolCallPart,
  { outcome, spooled, durationMs }: EndedTool,
): ExecutedCall {
  const { isError } = outcome;
  const ended: EventPayloads["tool_call_end"] = {
    type: "tool_result",
    tool_call_id: id,
    name,
    content: spooled.content,
    is_error: isError,
    duration_ms: durationMs,
  };
  if (spooled.outputRef !== undefined) ended.output_ref = { ...spooled.outputRef };
  if (outcome.isCancelled) ended.cancelled = true;
  if (outcome.details !== undefined) ended.details = outcome.details;
  core.emit("tool_call_end", ended);
  const limits = outputLimitsOf(name, core.config, core.registry.get(name));
  const content = truncateOutput(outcome.content, limits);
  const result: ToolResultPart = { type: "tool_result", toolCallId: id, name, content, isError };
  if (outcome.images !== undefined && outcome.images.length > 0) result.images = outcome.images;
  return { result, durationMs };
}

/**
 * Executes a call and emits its events: the start, the pieces of its output, and the end with the complete output.
 * Rejects only if `beforeEffect` rejects. See loop: execute_single_tool, §2.5.
 */
export async function executeSingleTool(
  core: SessionCore,
  call: ToolCallPart,
  position?: CallPosition,
): Promise<ExecutedCall> {
  const { id, name } = call;
  core.emit("tool_call_start", { type: "tool_call", id, name, arguments: call.arguments });
  const gate = createCallGate(core, position);
  if (core.events.isAwaited) await core.events.waitForReaders();
  const startedMs = core.now();
  core.toolRun ??= new SessionToolRun(core);
  const repeated = repeatedOutcome(call);
  const outcome = repeated ?? (await runTool(call, core.toolRun, gate));
  const durationMs = elapsedSince(gate?.enteredMs ?? startedMs, core.now);
  const spooled = isLargeOutcome(outcome) ? await spoolLargeOutput(core, id, outcome) : outcome;
  const executed = emitEnd(core, call, { outcome, spooled, durationMs });
  // An outcome that the end of the session caused, such as a cancellation, must not be reused when the run continues.
  if (repeated === undefined && !core.signal.aborted) core.effectJournal?.end(id, executed);
  return executed;
}

/** Function that executes one call of a response. */
type RunCall = (core: SessionCore, call: ToolCallPart, position?: CallPosition) => Promise<ExecutedCall>;

/** Executes calls concurrently. Approval decisions are requested in the order of the calls. */
function runSideBySide(core: SessionCore, calls: readonly ToolCallPart[], run: RunCall): Promise<ExecutedCall[]> {
  if (core.approve === undefined) return Promise.all(calls.map((call) => run(core, call)));
  const positions = callPositions(calls.length);
  return Promise.all(
    calls.map(async (call, index) => {
      try {
        return await run(core, call, positions[index]);
      } finally {
        positions[index]?.decide();
      }
    }),
  );
}

/**
 * Executes the calls of a response, in parallel if the profile allows it. Results are in the order of the calls. See
 * loop: execute_tool_calls, §2.5.
 */
export async function runCalls(
  core: SessionCore,
  calls: readonly ToolCallPart[],
  run: RunCall = executeSingleTool,
): Promise<ToolResultsTurn> {
  let executed: ExecutedCall[] = [];
  if (calls.length > 1 && core.profile.supportsParallelToolCalls) executed = await runSideBySide(core, calls, run);
  else for (const call of calls) executed.push(await run(core, call));
  return {
    type: "tool_results",
    results: executed.map(({ result }) => result),
    durationsMs: executed.map(({ durationMs }) => durationMs),
    timestamp: core.events.timestamp(),
  };
}
