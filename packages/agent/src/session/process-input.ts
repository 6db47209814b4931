import { type EngineError, toEngineError } from "@switchyard/contracts";
import { askModel } from "./ask-model.ts";
import { checkContextUsage } from "./check-context-usage.ts";
import { detectLoop } from "./detect-loop.ts";
import { executeToolCalls } from "./execute-tool-calls.ts";
import type { SessionCore } from "./session-core.ts";
import type { AssistantTurn } from "./turn.ts";

/** How the work on one input ended. loop: §2.8. */
export type InputOutcome =
  | { kind: "completed"; answer: string; rounds: number }
  | { kind: "limited"; rounds: number }
  | { kind: "aborted" }
  | { kind: "failed"; error: EngineError; rounds: number };

/** Appends the input as a user turn and says so. loop: process_input, §2.5. */
function recordInput(core: SessionCore, content: string): void {
  core.conversation.append({ type: "user", content, timestamp: core.events.timestamp() });
  core.emit("user_input", { content });
}

/** Injects what was steered since the last time; says whether there was anything. loop: drain_steering, §2.5. */
function drainSteering(core: SessionCore): boolean {
  const messages = core.steering.splice(0);
  for (const content of messages) {
    core.conversation.append({ type: "steering", content, timestamp: core.events.timestamp() });
    core.emit("steering_injected", { content });
  }
  return messages.length > 0;
}

/** Says so and stops when a limit is reached. loop: §2.5 step 1. */
function limitReached(core: SessionCore, rounds: number): boolean {
  const { maxToolRoundsPerInput, maxTurns } = core.config;
  if (maxToolRoundsPerInput > 0 && rounds >= maxToolRoundsPerInput) {
    core.emit("turn_limit", { limit: "max_tool_rounds_per_input", count: rounds });
    return true;
  }
  const turns = core.conversation.modelTurns;
  if (maxTurns > 0 && turns >= maxTurns) {
    core.emit("turn_limit", { limit: "max_turns", count: turns });
    return true;
  }
  return false;
}

/** Runs the calls of an answer and appends their results as one turn. loop: §2.5 step 6. */
async function runTools(core: SessionCore, turn: AssistantTurn): Promise<void> {
  const results = await executeToolCalls(core, turn.toolCalls);
  core.conversation.append({ type: "tool_results", results, timestamp: core.events.timestamp() });
}

/** Tells the model, once per pattern, that its calls repeat. loop: §2.5 step 8, §2.10. */
function warnOfLoop(core: SessionCore): void {
  const { enableLoopDetection, loopDetectionWindow } = core.config;
  if (!enableLoopDetection) return;
  const pattern = detectLoop(core.conversation.recentCalls(loopDetectionWindow), loopDetectionWindow);
  const isNew = pattern !== undefined && pattern !== core.warnedPattern;
  core.warnedPattern = pattern;
  if (!isNew) return;
  const message = `Loop detected: the last ${loopDetectionWindow} tool calls follow a repeating pattern. Try a different approach.`;
  core.conversation.append({ type: "steering", content: message, timestamp: core.events.timestamp() });
  core.emit("loop_detection", { message, kind: "loop_detection" });
}

/** The loop. Rejects with what the model call failed with. loop: process_input, §2.5. */
async function runLoop(core: SessionCore, counter: { rounds: number }): Promise<InputOutcome> {
  drainSteering(core);
  while (true) {
    if (limitReached(core, counter.rounds)) return { kind: "limited", rounds: counter.rounds }; // step 1
    if (core.signal.aborted) return { kind: "aborted" };
    const turn = await askModel(core); // steps 2 to 4
    if (turn.toolCalls.length === 0) {
      // Step 5, and decision 7: what was steered while the last answer was on its way is not lost.
      if (drainSteering(core)) continue;
      return { kind: "completed", answer: turn.content, rounds: counter.rounds };
    }
    counter.rounds += 1;
    await runTools(core, turn); // step 6
    checkContextUsage(core); // §5.5
    if (core.signal.aborted) return { kind: "aborted" };
    drainSteering(core); // step 7
    warnOfLoop(core); // step 8
  }
}

/** Works on one input until the natural end, a limit, an abort or a failure; never rejects. loop: process_input, §2.5. */
export async function processInput(core: SessionCore, input: string): Promise<InputOutcome> {
  const counter = { rounds: 0 };
  recordInput(core, input);
  try {
    return await runLoop(core, counter);
  } catch (error) {
    if (core.signal.aborted) return { kind: "aborted" };
    return { kind: "failed", error: toEngineError(error), rounds: counter.rounds };
  }
}
