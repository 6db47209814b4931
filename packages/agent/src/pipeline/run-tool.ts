import type { RegisteredTool, ToolCallContext } from "@switchyard/contracts";
import { EngineError, type ExecutionEnvironment, type ToolCallPart } from "@switchyard/contracts";
import { CANCELLED_RESULT, UNKNOWN_OUTCOME_RESULT } from "../conversation/repair-history.ts";
import { checkImages } from "../image/check-images.ts";
import { MAX_TIMER_MS } from "../session/max-timer-ms.ts";
import type { CallExtension } from "../session/session-options.ts";
import { forgetAborted, whenAborted } from "../session/when-aborted.ts";
import { isRepeatable } from "./is-repeatable.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { CallGate, EndedCall, ReadyCall } from "./ready-call.ts";
import { failedOutcome, type ToolOutcome, thrownOutcome, toOutcome } from "./tool-outcome.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { type OnUnchecked, validateArguments } from "./validate-arguments.ts";

/** Options for tool calls. */
export interface ToolRunOptions {
  /** Registry of tools. */
  readonly registry: ToolRegistry;
  /** Environment of the tools. */
  readonly environment: ExecutionEnvironment;
  /** Aborts when calls must stop. */
  readonly signal: AbortSignal;
  /** Time for a call to end after the signal aborts, in milliseconds. */
  readonly graceMs: number;
  /** Timeouts of commands, in milliseconds. loop: §5.4. */
  readonly commandTimeouts: ToolCallContext["commandTimeouts"];
  /** Receives output increments of a call. */
  onUpdate?(callId: string, text: string): void;
  /** Called with the definition of a called tool whose schema can only be checked in part. */
  onUnchecked?: OnUnchecked | undefined;
  /** Storage for outputs that are too large for an event. */
  readonly spool?: ToolCallContext["spool"];
  /** Background commands of the session. */
  readonly background?: ToolCallContext["background"];
  /** Subagents of the session. */
  readonly subagents?: ToolCallContext["subagents"];
  /** Asks the user. `undefined`: no user can be asked. */
  readonly askUser?: ToolCallContext["askUser"];
  /** Calls a function of the host. Default: a plain call. */
  readonly callExtension?: CallExtension | undefined;
}

/** Returns the outcome of a call that cannot be executed, written for the model. */
function refused(code: "tool.unknown" | "tool.invalid_arguments", details: Record<string, unknown>): EndedCall {
  return { kind: "ended", outcome: failedOutcome(new EngineError(code, details)) };
}

/** Pipeline steps 1 and 2: lookup and validation. loop: §3.8. */
async function prepare(call: ToolCallPart, options: ToolRunOptions): Promise<ReadyCall | EndedCall> {
  const { registry } = options;
  const tool = registry.get(call.name);
  if (tool === undefined) return refused("tool.unknown", { tool: call.name, known: registry.names() });
  const parsed = parseArguments(call.arguments);
  if (parsed.kind === "refused") {
    return refused("tool.invalid_arguments", { tool: call.name, problem: parsed.problem });
  }
  const problem = await validateArguments(tool.definition, parsed.args, options.onUnchecked);
  if (problem !== undefined) return refused("tool.invalid_arguments", { tool: call.name, problem });
  return { kind: "ready", call, tool, args: parsed.args };
}

const CANCELLED: ToolOutcome = { content: CANCELLED_RESULT, isError: true, isCancelled: true };

/** Returns the outcome of a call whose tool does not end. */
function givenUp(tool: RegisteredTool): ToolOutcome {
  const content = isRepeatable(tool) ? CANCELLED_RESULT : UNKNOWN_OUTCOME_RESULT;
  return { content, isError: true, isCancelled: false };
}

/** Converts the return value of a tool to an outcome. */
function outcomeOf(tool: string, output: unknown): ToolOutcome {
  try {
    return toOutcome(output);
  } catch (error) {
    return thrownOutcome(tool, error);
  }
}

/** Execution of a tool, and whether it has ended. */
interface Execution {
  readonly ready: ReadyCall;
  readonly options: ToolRunOptions;
  isOver: boolean;
}

function emitUpdate({ ready, options, isOver }: Execution, text: string): void {
  // Ignores output after the end. The text may be any value if the tool has no type checking.
  if (!isOver) options.onUpdate?.(ready.call.id, String(text));
}

/** Waits for the output of a tool. Reports if the tool does not end within the grace period after the signal aborts. */
function waitFor(execution: Execution, output: unknown): Promise<ToolOutcome> {
  const { signal, graceMs } = execution.options;
  const { call, tool } = execution.ready;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => resolve(givenUp(tool)), Math.min(graceMs, MAX_TIMER_MS));
    };
    const settle = (outcome: ToolOutcome): void => {
      clearTimeout(timer);
      forgetAborted(signal, onAbort);
      execution.isOver = true;
      resolve(outcome);
    };
    // The tool itself may have caused the abort already.
    whenAborted(signal, onAbort);
    // Any thenable is accepted. A thenable that is not a promise may throw or settle twice.
    Promise.resolve(output).then(
      (value) => {
        const outcome = outcomeOf(call.name, value);
        if (!hasImages(outcome)) settle(outcome);
        else void checkImages(outcome).then(settle);
      },
      (error: unknown) => settle(thrownOutcome(call.name, error)),
    );
  });
}

/** Starts a tool. Contract: synchronous errors are thrown. */
function start(execution: Execution): unknown {
  const { ready, options } = execution;
  const { call, tool, args } = ready;
  const { environment, signal, commandTimeouts, spool, background, subagents, askUser, callExtension } = options;
  const onUpdate = (text: string): void => emitUpdate(execution, text);
  const context = { signal, callId: call.id, onUpdate, commandTimeouts, spool, background, subagents, askUser };
  const act = (): unknown => tool.execute(args, environment, context);
  return callExtension === undefined || tool.needsHost === false ? act() : callExtension(act);
}

/** Pipeline step 3: executes the tool. loop: §3.8. */
async function execute(ready: ReadyCall, options: ToolRunOptions): Promise<ToolOutcome> {
  if (options.signal.aborted) return CANCELLED;
  const execution: Execution = { ready, options, isOver: false };
  let output: unknown;
  try {
    output = start(execution);
  } catch (error) {
    execution.isOver = true;
    return thrownOutcome(ready.call.name, error);
  }
  return waitFor(execution, output);
}

function hasImages({ images }: ToolOutcome): boolean {
  return images !== undefined && images.length > 0;
}

/**
 * Runs a call through lookup, validation, the gate (if any) and execution. Every failure of the call becomes an outcome
 * for the model. Rejects only if the gate rejects. loop: execute_single_tool, §2.5; tool execution pipeline, §3.8, §8.
 */
export async function runTool(call: ToolCallPart, options: ToolRunOptions, gate?: CallGate): Promise<ToolOutcome> {
  if (options.signal.aborted) return CANCELLED;
  const prepared = await prepare(call, options);
  if (prepared.kind === "ended") return prepared.outcome;
  if (options.signal.aborted) return CANCELLED;
  if (gate === undefined) return execute(prepared, options);
  const passed = await gate.enter(prepared);
  if (options.signal.aborted) return CANCELLED;
  if (passed.kind === "ended") return passed.outcome;
  return gate.leave(passed, await execute(passed, options));
}
