import type { RegisteredTool, ToolCallContext } from "@switchyard/contracts";
import { EngineError, type ExecutionEnvironment, type ToolCallPart } from "@switchyard/contracts";
import { CANCELLED_RESULT, UNKNOWN_OUTCOME_RESULT } from "../session/repair-history.ts";
import { whenAborted } from "../session/when-aborted.ts";
import { isRepeatable } from "./is-repeatable.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { CallGate, EndedCall, ReadyCall } from "./ready-call.ts";
import { failedOutcome, type ToolOutcome, thrownOutcome, toOutcome } from "./tool-outcome.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { validateArguments } from "./validate-arguments.ts";

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
  /** Shows output while it arrives. */
  readonly onUpdate?: ((text: string) => void) | undefined;
  /** Where outputs go that are too large for an event. */
  readonly spool?: ToolCallContext["spool"];
  /** Runs commands beside the conversation. */
  readonly background?: ToolCallContext["background"];
  /** Starts and directs child sessions. */
  readonly subagents?: ToolCallContext["subagents"];
  /** Asks the user; nobody can be asked without it. */
  readonly askUser?: ToolCallContext["askUser"];
  /** Stands between validation and execution, and behind it; nothing does without it. */
  readonly gate?: CallGate | undefined;
}

/** A call that cannot be made, in words for the model. */
function refused(code: "tool.unknown" | "tool.invalid_arguments", details: Record<string, unknown>): EndedCall {
  return { kind: "ended", outcome: failedOutcome(new EngineError(code, details)) };
}

/** Pipeline steps 1 and 2: look-up, then validation. loop: §3.8. */
async function prepare(call: ToolCallPart, registry: ToolRegistry): Promise<ReadyCall | EndedCall> {
  const tool = registry.get(call.name);
  if (tool === undefined) return refused("tool.unknown", { tool: call.name, known: registry.names() });
  const parsed = parseArguments(call.arguments);
  if (parsed.kind === "refused") {
    return refused("tool.invalid_arguments", { tool: call.name, problem: parsed.problem });
  }
  const problem = await validateArguments(tool.definition, parsed.args);
  if (problem !== undefined) return refused("tool.invalid_arguments", { tool: call.name, problem });
  return { kind: "ready", call, tool, args: parsed.args };
}

const CANCELLED: ToolOutcome = { content: CANCELLED_RESULT, isError: true, isCancelled: true };

/** The outcome, or what is known of it when a tool does not end within the grace after the signal fired. */
function orGivenUp(outcome: Promise<ToolOutcome>, tool: RegisteredTool, options: ToolRunOptions): Promise<ToolOutcome> {
  const { signal, graceMs } = options;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = (): void => {
      const content = isRepeatable(tool) ? CANCELLED_RESULT : UNKNOWN_OUTCOME_RESULT;
      resolve({ content, isError: true, isCancelled: false });
    };
    // The tool itself may have caused the abort before this line.
    const forget = whenAborted(signal, () => {
      timer = setTimeout(giveUp, graceMs);
    });
    void outcome.then((value) => {
      clearTimeout(timer);
      forget();
      resolve(value);
    });
  });
}

async function execute({ call, tool, args }: ReadyCall, options: ToolRunOptions): Promise<ToolOutcome> {
  let isOver = false;
  const onUpdate = (text: string): void => {
    // A tool that keeps its callback must not speak behind its own end; one without types may say anything.
    if (!isOver) options.onUpdate?.(String(text));
  };
  const context: ToolCallContext = {
    // Field by field: two spreads would take as long as all the rest of the call.
    signal: options.signal,
    callId: call.id,
    onUpdate,
    commandTimeouts: options.commandTimeouts,
    spool: options.spool,
    background: options.background,
    subagents: options.subagents,
    askUser: options.askUser,
  };
  try {
    return toOutcome(await tool.execute(args, options.environment, context));
  } catch (error) {
    return thrownOutcome(call.name, error);
  } finally {
    isOver = true;
  }
}

/**
 * Runs one call through look-up, validation, the gate and execution. Whatever goes wrong with the call is an outcome
 * that the model can read; rejects only with what the gate rejects with. loop: execute_single_tool, §2.5; tool execution
 * pipeline, §3.8.
 */
export async function runTool(call: ToolCallPart, options: ToolRunOptions): Promise<ToolOutcome> {
  const { signal, gate } = options;
  if (signal.aborted) return CANCELLED;
  const prepared = await prepare(call, options.registry);
  if (prepared.kind === "ended") return prepared.outcome;
  if (signal.aborted) return CANCELLED;
  if (gate === undefined) return orGivenUp(execute(prepared, options), prepared.tool, options);
  const passed = await gate.enter(prepared);
  if (signal.aborted) return CANCELLED;
  if (passed.kind === "ended") return passed.outcome;
  return gate.leave(passed, await orGivenUp(execute(passed, options), passed.tool, options));
}
