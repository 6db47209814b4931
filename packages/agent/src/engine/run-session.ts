import {
  type Board,
  DEPENDENCY,
  EngineError,
  type Envelope,
  type EnvelopeOf,
  type EventType,
  type ExecutionEnvironment,
  type Host,
  type Interrupt,
  isControlSource,
  isEventType,
  MAIN_CHANNEL,
  type Run,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
} from "@switchyard/contracts";
import { createEnvelope, errorOfSignal, getDependency, interruptedError } from "@switchyard/engine";
import { elapsedSince } from "../session/elapsed-since.ts";
import { Session } from "../session/session.ts";
import type { SessionEvent } from "../session/session-event.ts";
import type { Turn } from "../session/turn.ts";
import { turnToMessage } from "../session/turn-to-message.ts";
import type { AgentEngineOptions } from "./agent-engine-options.ts";
import { isNameList } from "./is-name-list.ts";
import { historyFromInput, type InputHistory } from "./session-input-history.ts";
import { type StepEvent, StepTracker } from "./step-tracker.ts";
import { toTranscript } from "./transcript.ts";

/** Timers beyond this fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** One run of the engine, with everything it needs. */
export interface SessionRun extends AgentEngineOptions {
  readonly name: string;
  readonly now: () => number;
  readonly createId: () => string;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  readonly input: SessionInput;
  readonly environment: ExecutionEnvironment;
}

/** How the session ended, as its events told it. */
interface Ending {
  /** Index of the first turn that is not history. */
  firstTurn: number;
  /** Whether the agent came to its end by itself. */
  isComplete: boolean;
  /** What stopped it. */
  error: EngineError | undefined;
  readonly durations: Map<string, number>;
}

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}

async function publish(job: SessionRun, event: SessionEvent | StepEvent, actor: string): Promise<void> {
  const { run, host, now, createId, name } = job;
  const envelope = createEnvelope<EventType>(event.type, event.data, {
    runId: run.id,
    actor,
    attempt: run.resume?.attempt ?? 1,
    now,
    createId,
    source: name,
  });
  if (!isEnvelope(envelope)) return;
  try {
    await host.publish(envelope);
  } catch {
    // Publisher contract: a failure is the host's to record; the run goes on.
  }
}

function createSession(job: SessionRun, { history }: InputHistory, ending: Ending): Session {
  const { run, input, config } = job;
  const allowedTools = run.deps.has(DEPENDENCY.toolAllowedNames)
    ? getDependency(run.deps, DEPENDENCY.toolAllowedNames, isNameList)
    : undefined;
  const limits = [config?.maxTurns ?? 0, input.max_turns ?? 0].filter((limit) => limit > 0);
  return new Session({
    ...job,
    history,
    allowedTools,
    config: { ...config, maxTurns: limits.length === 0 ? 0 : Math.min(...limits) },
    reportUsage: async (usage) => {
      try {
        await job.host.reportUsage(usage);
      } catch (error) {
        if (EngineError.is(error)) ending.error ??= error;
        throw error;
      }
    },
  });
}

/** Hands over what a person says to the running agent; the returned function ends that. */
function followControl({ run }: SessionRun, session: Session): () => void {
  if (!run.deps.has(DEPENDENCY.control)) return () => {};
  const source = getDependency(run.deps, DEPENDENCY.control, isControlSource);
  const takeOver = (): void => {
    if (session.state === "closed") return;
    for (const message of source.drain()) {
      if (message.type === "steer") session.steer(message.text);
      else session.followUp(message.text);
    }
  };
  takeOver();
  return source.onMessage(takeOver);
}

/** Aborts the session when the run is to stop: interrupted, cancelled, or out of time. */
function followStops(job: SessionRun, session: Session, ending: Ending): () => void {
  const { run, host, input } = job;
  const over = new AbortController();
  const stop = (error: EngineError | undefined): void => {
    ending.error ??= error;
    void session.abort(error);
  };
  const onAbort = (): void => stop(undefined);
  if (run.signal.aborted) onAbort();
  run.signal.addEventListener("abort", onAbort, { once: true, signal: over.signal });
  const onInterrupt = (interrupt: Interrupt | undefined): void => {
    if (interrupt !== undefined) stop(interruptedError(interrupt));
  };
  // A host whose interrupts fail has none.
  void host
    .interrupts()
    ?.receive(over.signal)
    .then(onInterrupt, () => {});
  const timeoutMs = (input.timeout_seconds ?? 0) * 1_000;
  const timeUp = (): void => stop(new EngineError("run.timed_out", { timeoutMs }));
  const timer = timeoutMs > 0 ? setTimeout(timeUp, Math.min(timeoutMs, MAX_TIMER_MS)) : undefined;
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}

/** Keeps the main channel equal to the conversation. */
function syncChannel(board: Board, session: Session, synced: number): number {
  const turns = session.history;
  for (let index = synced; index < turns.length; index += 1) {
    const turn = turns[index];
    const message = turn === undefined ? undefined : turnToMessage(turn);
    if (message !== undefined) board.appendChannelMessage(MAIN_CHANNEL, message);
  }
  return turns.length;
}

function noteEnding(event: SessionEvent, ending: Ending): void {
  if (event.type === "processing_end") ending.isComplete = event.data.outcome === "completed";
  if (event.type === "tool_call_end" && event.data.duration_ms !== undefined) {
    ending.durations.set(event.data.tool_call_id, event.data.duration_ms);
  }
}

/** The last text the agent said. */
function lastWords(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.type === "assistant" && turn.content !== "");
  return last?.type === "assistant" ? last.content : "";
}

function toResult(job: SessionRun, session: Session, ending: Ending): SessionResult {
  const { usage, history, turns } = session;
  return {
    exit_code: ending.isComplete ? 0 : 1,
    final_message: lastWords(history.slice(ending.firstTurn)),
    engine: job.name,
    model: `${job.profile.provider}/${session.config.model ?? job.profile.model}`,
    turns,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    transcript: toTranscript(history, ending.durations),
  };
}

/** What is said about messages that no model will see. */
function ignoredMessages({ timestamp, sessionId }: SessionEvent, count: number): SessionEvent {
  const message = `Messages of the input behind the last user message were left out: ${count}.`;
  return { type: "warning", timestamp, sessionId, data: { kind: "messages_ignored", message } };
}

/** Runs one session over its input and puts result and conversation on the board. Rejects with what stopped it. */
export async function runSessionFor(job: SessionRun): Promise<void> {
  const { board, now } = job;
  const startedMs = now();
  const asked = historyFromInput(job.input, new Date(startedMs).toISOString());
  const ending: Ending = { firstTurn: 0, isComplete: false, error: undefined, durations: new Map() };
  const session = createSession(job, asked, ending);
  ending.firstTurn = session.history.length;
  board.setChannel(MAIN_CHANNEL, []);
  const steps = new StepTracker(job.run.attributes["agent.id"] ?? job.name);
  let synced = syncChannel(board, session, 0);
  const take = async (event: SessionEvent): Promise<void> => {
    noteEnding(event, ending);
    for (const step of steps.take(event)) await publish(job, step, step.data.step);
    await publish(job, event, steps.actor);
    if (event.type === "session_start" && asked.ignored > 0) {
      await publish(job, ignoredMessages(event, asked.ignored), steps.actor);
    }
    synced = syncChannel(board, session, synced);
  };
  const events = session.submit(asked.input);
  const release = [followStops(job, session, ending), followControl(job, session)];
  try {
    for await (const event of events) await take(event);
    const rest = session.events();
    await session.close();
    for await (const event of rest) await take(event);
  } finally {
    for (const end of release) end();
    await session.close();
    syncChannel(board, session, synced);
    board.set(SESSION_RESULT, { ...toResult(job, session, ending), duration_ms: elapsedSince(startedMs, now) });
  }
  if (ending.isComplete) return;
  const failure = ending.error ?? (job.run.signal.aborted ? errorOfSignal(job.run.signal) : session.failure);
  if (failure !== undefined) throw failure;
}
