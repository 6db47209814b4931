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

/** What a call runs with. */
export interface ToolRunOptions {
  /** Where the tool is looked up. */
  readonly registry: ToolRegistry;
  /** Where it works. */
  readonly environment: ExecutionEnvironment;
  /** Fires when the call is to stop. */
  readonly signal: AbortSignal;
  /** Time a call gets to end after the signal fired, in milliseconds. */
  readonly graceMs: number;
  /** Timeouts of commands, in milliseconds. loop: §5.4. */
  readonly commandTimeouts: ToolCallContext["commandTimeouts"];
  /** Shows output of a call while it arrives. */
  onUpdate?(callId: string, text: string): void;
  /** Called with the definition of a called tool whose schema can only be checked in part. */
  onUnchecked?: OnUnchecked | undefined;
  /** Where outputs go that are too large for an event. */
  readonly spool?: ToolCallContext["spool"];
  /** Runs commands beside the conversation. */
  readonly background?: ToolCallContext["background"];
  /** Starts and directs child sessions. */
  readonly subagents?: ToolCallContext["subagents"];
  /** Asks the user; nobody can be asked without it. */
  readonly askUser?: ToolCallContext["askUser"];
  /** Calls the tool; it is just called without it. */
  readonly callExtension?: CallExtension | undefined;
}

/** A call that cannot be made, in words for the model. */
function refused(code: "tool.unknown" | "tool.invalid_arguments", details: Record<string, unknown>): EndedCall {
  return { kind: "ended", outcome: failedOutcome(new EngineError(code, details)) };
}

type Prepared = ReadyCall | EndedCall;

function toPrepared(ready: ReadyCall, problem: string | undefined): Prepared {
  return problem === undefined ? ready : refused("tool.invalid_arguments", { tool: ready.call.name, problem });
}

/** Pipeline steps 1 and 2: look-up, then validation. loop: §3.8. */
function prepare(call: ToolCallPart, options: ToolRunOptions): Prepared | Promise<Prepared> {
  const { registry } = options;
  const tool = registry.get(call.name);
  if (tool === undefined) return refused("tool.unknown", { tool: call.name, known: registry.names() });
  const parsed = parseArguments(call.arguments);
  if (parsed.kind === "refused") {
    return refused("tool.invalid_arguments", { tool: call.name, problem: parsed.problem });
  }
  const ready: ReadyCall = { kind: "ready", call, tool, args: parsed.args };
  const problem = validateArguments(tool.definition, parsed.args, options.onUnchecked);
  return problem instanceof Promise ? problem.then((found) => toPrepared(ready, found)) : toPrepared(ready, problem);
}

const CANCELLED: ToolOutcome = { content: CANCELLED_RESULT, isError: true, isCancelled: true };

/** What is known of a call whose tool does not end. */
function givenUp(tool: RegisteredTool): ToolOutcome {
  const content = isRepeatable(tool) ? CANCELLED_RESULT : UNKNOWN_OUTCOME_RESULT;
  return { content, isError: true, isCancelled: false };
}

/** What a tool returned as an outcome, whatever it is. */
function outcomeOf(tool: string, output: unknown): ToolOutcome {
  try {
    return toOutcome(output);
  } catch (error) {
    return thrownOutcome(tool, error);
  }
}

/** One execution of a tool, and whether it is over. */
interface Execution {
  readonly ready: ReadyCall;
  readonly options: ToolRunOptions;
  isOver: boolean;
}

// Bound where it is used: a function that a closure is made in takes memory for it, also where none is made.
function emitUpdate({ ready, options, isOver }: Execution, text: string): void {
  // A tool that keeps its callback must not speak behind its own end; one without types may say anything.
  if (!isOver) options.onUpdate?.(ready.call.id, String(text));
}

/** An outcome that is not there yet, or what is known of it when the tool does not end in time after the signal fired. */
function waitFor(execution: Execution, output: PromiseLike<unknown>): Promise<ToolOutcome> {
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
    // The tool itself may have caused the abort before this line.
    whenAborted(signal, onAbort);
    // Whatever has a `then`: one that is no promise may throw, or settle twice.
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

/** Pipeline step 3: the gate, if there is one, then the tool; at once where it has its outcome at once. loop: §3.8, §8. */
function execute(prepared: Prepared, options: ToolRunOptions, gate?: CallGate): ToolOutcome | Promise<ToolOutcome> {
  if (prepared.kind === "ended") return prepared.outcome;
  if (options.signal.aborted) return CANCELLED;
  if (gate !== undefined) return passGate(prepared, gate, options);
  const { call, tool, args } = prepared;
  const { environment, signal, commandTimeouts, spool, background, subagents, askUser, callExtension } = options;
  const execution: Execution = { ready: prepared, options, isOver: false };
  const onUpdate = emitUpdate.bind(undefined, execution);
  let outcome: ToolOutcome;
  try {
    const context = { signal, callId: call.id, onUpdate, commandTimeouts, spool, background, subagents, askUser };
    const isCalledHere = callExtension === undefined || tool.needsHost === false;
    const output = isCalledHere
      ? tool.execute(args, environment, context)
      : callExtension(tool.execute.bind(tool, args, environment, context));
    if (isPromise(output)) return waitFor(execution, output);
    outcome = toOutcome(output);
    if (hasImages(outcome)) return waitFor(execution, checkImages(outcome));
  } catch (error) {
    outcome = thrownOutcome(call.name, error);
  }
  execution.isOver = true;
  return outcome;
}

function hasImages({ images }: ToolOutcome): boolean {
  return images !== undefined && images.length > 0;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Lets a call through the gate, and its outcome back. */
async function passGate(ready: ReadyCall, gate: CallGate, options: ToolRunOptions): Promise<ToolOutcome> {
  const passed = await gate.enter(ready);
  if (options.signal.aborted) return CANCELLED;
  if (passed.kind === "ended") return passed.outcome;
  return gate.leave(passed, await execute(passed, options));
}

/**
 * Runs one call through look-up, validation, the gate, if there is one, and execution; the outcome comes at once where
 * nothing has to be waited for. Whatever goes wrong with the call is an outcome that the model can read; rejects only with
 * what the gate rejects with. loop: execute_single_tool, §2.5; tool execution pipeline, §3.8.
 */
export function runTool(
  call: ToolCallPart,
  options: ToolRunOptions,
  gate?: CallGate,
): ToolOutcome | Promise<ToolOutcome> {
  if (options.signal.aborted) return CANCELLED;
  const prepared = prepare(call, options);
  if (!(prepared instanceof Promise)) return execute(prepared, options, gate);
  return prepared.then((ready) => execute(ready, options, gate));
}
