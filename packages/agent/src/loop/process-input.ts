import { createHash } from "node:crypto";
import type { EngineError } from "@switchyard/contracts";
import { reachBoundary, reachSuggestedBoundary } from "../checkpoint/reach-boundary.ts";
import { compactIfDue, isOverflowResolved } from "../compaction/compact-history.ts";
import type { CompactionStrategy } from "../compaction/compaction-strategy.ts";
import type { AssistantTurn, ToolResultsTurn } from "../conversation/turn.ts";
import type { UserInput } from "../conversation/user-input.ts";
import { hasCutOffCalls, mayContinueCalls, refuseCutOffCalls } from "../finish/cut-off-calls.ts";
import { finishActionOf } from "../finish/finish-action.ts";
import { areRefusedImagesWithheld } from "../image/withhold-refused-images.ts";
import type { SessionCore } from "../session/session-core.ts";
import { expandCommand } from "../skills/expand-command.ts";
import { countFailedAttempt, isTurnRetried } from "../turn-retry/retry-turn.ts";
import { callModel } from "./call-model.ts";
import { checkContextUsage } from "./check-context-usage.ts";
import { runCalls } from "./execute-tool-calls.ts";
import { limitReached } from "./limit-reached.ts";
import { declareCalls, resumeCalls } from "./resume-calls.ts";

/** Outcome of processing an input. See loop: §2.8. */
export type InputOutcome =
  | { kind: "completed"; answer: string; rounds: number }
  | { kind: "limited"; rounds: number }
  | { kind: "aborted" }
  | { kind: "failed"; error: EngineError; rounds: number };

/**
 * Appends the input as a user turn and emits it. Calls `onRecorded` once the input is in the history, before any event
 * is emitted. A session that is saved at an event therefore contains the input. See loop: process_input, §2.5.
 */
function recordInput(core: SessionCore, input: string | UserInput, onRecorded?: () => void): void {
  const { text, images = [] } = typeof input === "string" ? { text: input } : input;
  const called = core.commands === undefined ? undefined : expandCommand(text, core.commands);
  const content = called?.content ?? text;
  const timestamp = core.events.timestamp();
  core.conversation.append({ type: "user", content, ...(images.length === 0 ? {} : { images }), timestamp });
  onRecorded?.();
  core.emit("user_input", { content });
  if (called === undefined) return;
  const { name, source } = called.command;
  const message = `The input called the command /${name}.`;
  core.emit("notification", { message, kind: "command", details: { command: name, source } });
}

/** Injects queued steering messages. Returns whether there were any. See loop: drain_steering, §2.5. */
function drainSteering(core: SessionCore): boolean {
  if (core.steering.length === 0) return false;
  // Messages are removed one by one, so that a session saved by an event listener in between still contains the rest.
  // Messages that arrive during this `for` loop stay queued.
  for (let remaining = core.steering.length; remaining > 0; remaining -= 1) {
    const content = core.steering.shift();
    if (content === undefined) break;
    core.conversation.append({ type: "steering", content, timestamp: core.events.timestamp() });
    core.emit("steering_injected", { content });
  }
  return true;
}

/** Appends a message for the model that the agent loop itself has generated, such as a retry request. */
function addNote(core: SessionCore, content: string): void {
  core.conversation.append({ type: "steering", content, timestamp: core.events.timestamp() });
  core.emit("notification", { message: content, kind: "response_retry" });
}

/** Warns the model, once per pattern, that its calls repeat. See loop: §2.5 step 8, §2.10. */
function warnOfLoop(core: SessionCore): void {
  const { enableLoopDetection, loopDetectionWindow } = core.config;
  if (!enableLoopDetection) return;
  const found = core.conversation.findLoop(loopDetectionWindow);
  // The pattern is hashed, because it may contain megabytes of arguments and is stored whenever the session state is.
  const pattern = found === undefined ? undefined : createHash("sha256").update(found).digest("hex");
  const isNew = pattern !== undefined && pattern !== core.warnedPattern;
  core.warnedPattern = pattern;
  if (!isNew) return;
  const message = `Loop detected: the last ${loopDetectionWindow} tool calls follow a repeating pattern. Try a different approach.`;
  core.conversation.append({ type: "steering", content: message, timestamp: core.events.timestamp() });
  core.emit("loop_detection", { message, kind: "loop_detection" });
}

/** Appends the results of a round and later messages. See loop: §2.5 steps 6 to 8. */
function recordResults(core: SessionCore, results: ToolResultsTurn): void {
  core.conversation.appendResults(results);
  core.hasInheritedCalls = false;
  core.effectJournal?.forget(results.results.map(({ toolCallId }) => toolCallId));
  checkContextUsage(core); // §5.5
  if (core.signal.aborted) return;
  drainSteering(core); // step 7
  warnOfLoop(core); // step 8
}

/** Stores the session state at the end of a tool round. See decision 22. */
function reachEndOfRound(core: SessionCore): Promise<void> {
  return reachBoundary(core, core.signal.aborted ? "stopped" : "outcomes");
}

/**
 * Ends the processing of an input, unless messages were queued during the last response. See loop: §2.5 step 5;
 * decision 7.
 */
async function endOfInput(core: SessionCore, turn: AssistantTurn): Promise<InputOutcome | undefined> {
  await reachSuggestedBoundary(core);
  if (drainSteering(core)) return undefined;
  const action = finishActionOf(core.conversation.turns, core.config);
  if (action.kind === "end") return { kind: "completed", answer: turn.content, rounds: core.rounds };
  if (action.message !== undefined) addNote(core, action.message);
  return undefined;
}

function limited({ rounds }: SessionCore): InputOutcome {
  return { kind: "limited", rounds };
}

/** Compacts the conversation if due. Returns true if the usage of the compaction has reached a limit. */
async function isLimitReachedBySummary(core: SessionCore, strategy: CompactionStrategy): Promise<boolean> {
  const { usage } = core.conversation;
  await compactIfDue(core, strategy);
  if (core.conversation.usage === usage) return false;
  await reachSuggestedBoundary(core);
  return limitReached(core);
}

/**
 * Retries a failed model call: without images that the API refused, after a wait if the failure is transient, and once
 * after compaction if the conversation was too long (§5.5). `undefined` if a limit is reached meanwhile. Rejects with a
 * permanent failure.
 */
async function retryModelCall(core: SessionCore, failure: unknown): Promise<AssistantTurn | undefined> {
  let error = failure;
  for (let isOverflowDue = true; ; ) {
    await countFailedAttempt(core, error);
    if (areRefusedImagesWithheld(core, error)) {
      await reachSuggestedBoundary(core);
    } else if (await isTurnRetried(core, error)) {
      drainSteering(core);
    } else {
      if (!isOverflowDue || !(await isOverflowResolved(core, error))) throw error;
      isOverflowDue = false;
      await reachSuggestedBoundary(core);
    }
    if (limitReached(core)) return undefined;
    try {
      return await callModel(core);
    } catch (next) {
      error = next;
    }
  }
}

/** Ends a round without executing the calls of a cut-off response. Returns whether the model may repeat them. */
async function isRoundRefused(core: SessionCore, turn: AssistantTurn): Promise<boolean> {
  const mayContinue = mayContinueCalls(core, turn);
  recordResults(core, refuseCutOffCalls(core, turn));
  await reachEndOfRound(core);
  return mayContinue;
}

/** Runs the agent loop. See loop: process_input, §2.5. */
async function runLoop(core: SessionCore): Promise<InputOutcome> {
  drainSteering(core);
  while (true) {
    if (limitReached(core)) return limited(core); // step 1
    if (core.signal.aborted) return { kind: "aborted" };
    if (core.compaction !== undefined && (await isLimitReachedBySummary(core, core.compaction))) return limited(core);
    if (core.isBoundarySuggested) await reachSuggestedBoundary(core);
    let turn: AssistantTurn | undefined;
    try {
      turn = await callModel(core); // steps 2 to 4
    } catch (error) {
      turn = await retryModelCall(core, error);
      if (turn === undefined) return limited(core);
    }
    if (turn.toolCalls.length === 0) {
      const outcome = await endOfInput(core, turn); // step 5
      if (outcome !== undefined) return outcome;
      continue;
    }
    if (hasCutOffCalls(turn)) {
      if (!(await isRoundRefused(core, turn))) return { kind: "completed", answer: turn.content, rounds: core.rounds };
      continue;
    }
    core.rounds += 1;
    if (core.effectJournal !== undefined) declareCalls(core, core.effectJournal, turn);
    if (core.onBoundary !== undefined) await reachBoundary(core, "intents"); // decision 22
    recordResults(core, await runCalls(core, turn.toolCalls)); // steps 6 to 8
    if (core.onBoundary !== undefined) await reachEndOfRound(core);
    if (core.signal.aborted) return { kind: "aborted" };
  }
}

/**
 * Processes an input until its natural end, a limit or an abort. Rejects with the error of a model call, or of storing
 * session state. See loop: process_input, §2.5.
 */
export function processInput(
  core: SessionCore,
  input: string | UserInput,
  onRecorded?: () => void,
): Promise<InputOutcome> {
  core.rounds = 0;
  recordInput(core, input, onRecorded);
  return runLoop(core);
}

/**
 * Resumes an input from the stored session state. Continues with tool calls that have no result, with the end of the
 * input, or with the next model call. Rejects like `processInput`.
 */
export async function resumeInput(core: SessionCore): Promise<InputOutcome> {
  const last = core.conversation.turns.at(-1);
  if (last?.type !== "assistant") return runLoop(core);
  if (last.toolCalls.length === 0) return (await endOfInput(core, last)) ?? runLoop(core);
  if (hasCutOffCalls(last)) {
    if (!(await isRoundRefused(core, last))) return { kind: "completed", answer: last.content, rounds: core.rounds };
    return runLoop(core);
  }
  recordResults(core, await resumeCalls(core, last));
  await reachEndOfRound(core);
  return core.signal.aborted ? { kind: "aborted" } : runLoop(core);
}
