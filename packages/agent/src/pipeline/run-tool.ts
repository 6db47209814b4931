import type { RegisteredTool, ToolCallContext } from "@switchyard/contracts";
import { EngineError, type ExecutionEnvironment, type ToolCallPart, type ToolDefinition } from "@switchyard/contracts";
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
import { compileValidator, validatorOf } from "./validate-arguments.ts";

/** Options for running a tool call. */
export interface ToolRunOptions {
  /** Registry in which the tool is looked up. */
  readonly registry: ToolRegistry;
  /** Environment in which the tool runs. */
  readonly environment: ExecutionEnvironment;
  /** Signal that cancels the call when aborted. */
  readonly signal: AbortSignal;
  /** Grace period for a call to end after cancellation, in milliseconds. */
  readonly graceMs: number;
  /** Command timeouts, in milliseconds. See loop: §5.4. */
  readonly commandTimeouts: ToolCallContext["commandTimeouts"];
  /** Called with each part of a tool call's output as soon as it arrives. */
  onUpdate?(callId: string, text: string): void;
  /** Called with the definition of a called tool whose schema can be checked only partially. */
  readonly onUnchecked?: ((definition: ToolDefinition, ignored: readonly string[]) => void) | undefined;
  /** Storage for outputs that are too large for an event. */
  readonly spool?: ToolCallContext["spool"];
  /** Runs background commands. */
  readonly background?: ToolCallContext["background"];
  /** Starts and controls subagents. */
  readonly subagents?: ToolCallContext["subagents"];
  /** Asks the user a question. `undefined`: the tool cannot ask. */
  readonly askUser?: ToolCallContext["askUser"];
  /** Wraps the execution of the tool. Default: the tool is called directly. */
  readonly callExtension?: CallExtension | undefined;
}

/** Creates the outcome of a call that cannot be executed, as a message for the model. */
function refused(code: "tool.unknown" | "tool.invalid_arguments", details: Record<string, unknown>): EndedCall {
  return { kind: "ended", outcome: failedOutcome(new EngineError(code, details)) };
}

/** Looks up the tool of a call and parses the arguments. Hooks and validation follow. See loop: §3.8, steps 1 and 2. */
function prepare(call: ToolCallPart, { registry }: ToolRunOptions): ReadyCall | EndedCall {
  const tool = registry.get(call.name);
  if (tool === undefined) return refused("tool.unknown", { tool: call.name, known: registry.names() });
  const parsed = parseArguments(call.arguments);
  if (parsed.kind === "refused") {
    return refused("tool.invalid_arguments", { tool: call.name, problem: parsed.problem });
  }
  return { kind: "ready", call, tool, args: parsed.args };
}

const CANCELLED: ToolOutcome = { content: CANCELLED_RESULT, isError: true, isCancelled: true };

/** Outcome of a call whose tool did not end within the grace period. */
function abandoned(tool: RegisteredTool): ToolOutcome {
  const content = isRepeatable(tool) ? CANCELLED_RESULT : UNKNOWN_OUTCOME_RESULT;
  return { content, isError: true, isCancelled: false };
}

/** Converts the return value of a tool to an outcome. Never throws. */
function outcomeOf(tool: string, output: unknown): ToolOutcome {
  try {
    return toOutcome(output);
  } catch (error) {
    return thrownOutcome(tool, error);
  }
}

/** State of one tool execution. */
interface Execution {
  readonly ready: ReadyCall;
  readonly options: ToolRunOptions;
  isOver: boolean;
}

function emitUpdate({ ready, options, isOver }: Execution, text: string): void {
  // A tool may call the callback after it ended, and an untyped tool may pass any value.
  if (!isOver) options.onUpdate?.(ready.call.id, String(text));
}

/** Waits for the output of a tool. Gives up if the tool does not end within the grace period after cancellation. */
function waitFor(execution: Execution, output: unknown): Promise<ToolOutcome> {
  const { signal, graceMs } = execution.options;
  const { call, tool } = execution.ready;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => resolve(abandoned(tool)), Math.min(graceMs, MAX_TIMER_MS));
    };
    const settle = (outcome: ToolOutcome): void => {
      clearTimeout(timer);
      forgetAborted(signal, onAbort);
      execution.isOver = true;
      resolve(outcome);
    };
    // The callback is also called if the signal has already aborted, which the tool itself may have caused.
    whenAborted(signal, onAbort);
    // An untyped tool may return a custom thenable, which can throw or settle twice.
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

/** Starts a tool. Contract: errors the tool throws synchronously are rethrown. */
function start(execution: Execution): unknown {
  const { ready, options } = execution;
  const { call, tool, args } = ready;
  const { environment, signal, commandTimeouts, spool, background, subagents, askUser, callExtension } = options;
  const onUpdate = (text: string): void => emitUpdate(execution, text);
  const context = { signal, callId: call.id, onUpdate, commandTimeouts, spool, background, subagents, askUser };
  const act = (): unknown => tool.execute(args, environment, context);
  return callExtension === undefined || tool.needsHost === false ? act() : callExtension(act);
}

/** Pipeline step 3: executes the tool. See loop: §3.8. */
function execute(ready: ReadyCall, options: ToolRunOptions): Promise<ToolOutcome> {
  const execution: Execution = { ready, options, isOver: false };
  try {
    return waitFor(execution, start(execution));
  } catch (error) {
    execution.isOver = true;
    return Promise.resolve(thrownOutcome(ready.call.name, error));
  }
}

function hasImages({ images }: ToolOutcome): boolean {
  return images !== undefined && images.length > 0;
}

/**
 * Runs one call through lookup, validation, the optional gate (approvals and hooks) and execution. Every failure
 * becomes an outcome that the model can read. Rejects only if the gate rejects. See loop: execute_single_tool, §2.5;
 * tool execution pipeline, §3.8, §8.
 */
export async function runTool(call: ToolCallPart, options: ToolRunOptions, gate?: CallGate): Promise<ToolOutcome> {
  const { signal } = options;
  if (signal.aborted) return CANCELLED;
  const prepared = prepare(call, options);
  if (prepared.kind === "ended") return prepared.outcome;
  const { definition } = prepared.tool;
  const validator = validatorOf(definition) ?? (await compileValidator(definition));
  if (validator.ignored.length > 0) options.onUnchecked?.(definition, validator.ignored);
  const problem = validator.check(prepared.args);
  if (problem !== undefined) return refused("tool.invalid_arguments", { tool: call.name, problem }).outcome;
  if (signal.aborted) return CANCELLED;
  const passed = gate === undefined ? prepared : await gate.enter(prepared);
  if (signal.aborted) return CANCELLED;
  if (passed.kind === "ended") return passed.outcome;
  const outcome = await execute(passed, options);
  return gate === undefined ? outcome : gate.leave(passed, outcome);
}
