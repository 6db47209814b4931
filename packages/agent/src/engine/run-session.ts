import {
  addUsage,
  DEPENDENCY,
  type EffectJournal,
  EngineError,
  isEffectJournal,
  isOutputSpool,
  isoTime,
  isToolSource,
  MAIN_CHANNEL,
  type OutputSpool,
  SESSION_RESULT,
  type SessionResult,
  type ToolSource,
  type Usage,
} from "@switchyard/contracts";
import { errorOfSignal, getDependency, withHost } from "@switchyard/engine";
import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import type { AssistantTurn } from "../conversation/turn.ts";
import type { SessionEvent } from "../events/session-event.ts";
import { finalText } from "../finish/final-text.ts";
import { finishReasonOf, problemOf } from "../finish/finish-action.ts";
import { Session } from "../session/session.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { AGENT_PROMPT, AGENT_TURNS, parseAgentCheckpoint } from "./agent-checkpoint.ts";
import { decisionsOf } from "./ask-host.ts";
import { AGENT_ALLOWED } from "./board-allowances.ts";
import { clearChildren } from "./board-subagents.ts";
import { BoundaryWriter } from "./boundary-writer.ts";
import { type EarlierConversation, hasHistory, loadEarlierConversation } from "./earlier-conversation.ts";
import { EventPublisher } from "./event-publisher.ts";
import { FamilySteps } from "./family-steps.ts";
import { followControl, followStops } from "./follow-run.ts";
import { isNameList } from "./is-name-list.ts";
import { historyFromInput } from "./session-input-history.ts";
import type { Ending, SessionRun } from "./session-run.ts";
import { nameOfStep } from "./step-tracker.ts";
import { toTranscript } from "./transcript.ts";

/** Starting point of a run: its input, or the session state that an earlier attempt stored. */
interface Beginning {
  readonly options: Pick<SessionOptions, "history" | "resumeFrom" | "earlierPrompt">;
  /** Processes the input. Resolves regardless of the outcome. */
  readonly begin: (session: Session) => Promise<void>;
  /**
   * Number of input messages that are not passed to the model. 0 for a resumed run, because its first attempt has
   * reported them.
   */
  readonly ignored: number;
  readonly activeMs: number;
  readonly mirrored: number;
  readonly children: SessionBoundary["children"];
}

function resumption({ board, payload }: NonNullable<SessionRun["run"]["resumeFrom"]>): Beginning {
  const { boundary, activeMs } = parseAgentCheckpoint({ board, payload });
  return {
    options: { resumeFrom: boundary },
    begin: (session) => session.process(),
    ignored: 0,
    activeMs,
    mirrored: boundary.turns.length,
    children: boundary.children,
  };
}

function beginningOf({ run, board, input }: SessionRun, startedMs: number, earlier?: EarlierConversation): Beginning {
  if (run.resumeFrom !== undefined) return resumption(run.resumeFrom);
  const request = historyFromInput(input, isoTime(startedMs), earlier);
  board.setChannel(MAIN_CHANNEL, []);
  board.set(AGENT_TURNS, []);
  board.deleteVar(AGENT_PROMPT.name);
  board.deleteVar(AGENT_ALLOWED.name);
  clearChildren(board);
  return {
    options: { history: [...request.history, ...(earlier?.updates ?? [])], earlierPrompt: earlier?.prompt },
    begin: (session) => session.process(request.input),
    ignored: request.ignored,
    activeMs: 0,
    mirrored: 0,
    children: undefined,
  };
}

interface SessionHooks extends Pick<SessionOptions, "onBoundary" | "beforeEffect"> {
  readonly ending: Ending;
}

/**
 * Returns the host's storage for outputs that are too large for an event. `undefined` if it has none. See architecture:
 * decision 10.
 */
function outputSpoolOf({ deps }: SessionRun["run"]): OutputSpool | undefined {
  return deps.has(DEPENDENCY.outputSpool) ? getDependency(deps, DEPENDENCY.outputSpool, isOutputSpool) : undefined;
}

/** Returns the journal of a run that its host executes step by step. `undefined` if the host has none. */
function effectJournalOf({ deps }: SessionRun["run"]): EffectJournal | undefined {
  const key = DEPENDENCY.effectJournal;
  return deps.has(key) ? getDependency(deps, key, isEffectJournal) : undefined;
}

/** Returns the host's source of further tools. `undefined` if the host has none. See loop: MCP, §8. */
function toolSourceOf({ deps }: SessionRun["run"]): ToolSource | undefined {
  return deps.has(DEPENDENCY.toolRegistry) ? getDependency(deps, DEPENDENCY.toolRegistry, isToolSource) : undefined;
}

/**
 * Returns the retry options for turns. `retry_for_seconds` in the run's input overrides the engine's maximum total
 * wait.
 */
function turnRetryOf({ input, turnRetry }: SessionRun): SessionOptions["turnRetry"] {
  const { retry_for_seconds: seconds } = input;
  if (seconds === undefined) return turnRetry;
  return { ...(turnRetry === false ? {} : turnRetry), maxTotalDelayMs: seconds * 1_000 };
}

function createSession(job: SessionRun, { options }: Beginning, { ending, ...hooks }: SessionHooks): Session {
  const { run, input, config } = job;
  const allowedTools = run.deps.has(DEPENDENCY.toolAllowedNames)
    ? getDependency(run.deps, DEPENDENCY.toolAllowedNames, isNameList)
    : undefined;
  const limits = [config?.maxTurns ?? 0, input.max_turns ?? 0].filter((limit) => limit > 0);
  async function reportUsage(usage: Usage): Promise<void> {
    try {
      await job.host.reportUsage(usage);
    } catch (error) {
      if (EngineError.is(error)) ending.error ??= error;
      throw error;
    }
  }
  const session: Session = new Session({
    ...job,
    ...options,
    ...decisionsOf(job, () => nameOfStep(job.agentId, session.turns)),
    allowedTools,
    callExtension: (act) => withHost(job.host, act),
    config: { ...config, maxTurns: limits.length === 0 ? 0 : Math.min(...limits) },
    turnRetry: turnRetryOf(job),
    reportUsage,
    outputSpool: outputSpoolOf(run),
    effectJournal: effectJournalOf(run),
    toolSource: toolSourceOf(run),
    ...hooks,
  });
  return session;
}

/** Returns why a completed run did not end in a complete response. `undefined` if the last response is complete. */
function endProblemOf(last: AssistantTurn | undefined): string | undefined {
  if (last === undefined) return undefined;
  const problem = problemOf(last);
  if (problem !== undefined) return `The last response ${problem.replace(/\.$/, "")}.`;
  const { unified } = finishReasonOf(last);
  return unified === "stop" ? undefined : `The last response ended with ${unified}.`;
}

function toResult(job: SessionRun, session: Session, ending: Ending): SessionResult {
  const { history, turns } = session;
  const sessionTurns = history.slice(session.firstTurn);
  const last = sessionTurns.findLast((turn) => turn.type === "assistant");
  const problem = ending.isComplete ? endProblemOf(last) : ending.limit;
  const usage = Array.from(session.subagents.values()).reduce(
    (sum, child) => addUsage(sum, child.usage),
    session.usage,
  );
  return {
    exit_code: ending.isComplete && problem === undefined ? 0 : 1,
    final_message: finalText(sessionTurns),
    engine: job.name,
    model: `${job.profile.provider}/${session.config.model ?? job.profile.model}`,
    turns,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(last === undefined ? {} : { finish_reason: finishReasonOf(last).unified }),
    ...(problem === undefined ? {} : { stderr: problem }),
    transcript: toTranscript(history),
  };
}

/** Creates the notice about messages that the model will not see. */
function ignoredMessages({ timestamp, sessionId }: SessionEvent, count: number): SessionEvent {
  const message = `Messages after the last user message of the input were ignored: ${count}.`;
  return { type: "warning", timestamp, sessionId, data: { kind: "messages_ignored", message } };
}

/** Creates the notice about subagents that were still working when the run ended. */
function closedSubagents({ timestamp, sessionId }: SessionEvent, ids: readonly string[]): SessionEvent {
  const message = `The agent ended while subagents were still working; they were closed: ${ids.join(", ")}.`;
  return { type: "warning", timestamp, sessionId, data: { kind: "subagents_closed", message, details: { ids } } };
}

/** Returns the ids of running subagents. */
function runningIn(session: Session): readonly string[] {
  return Array.from(session.subagents.values()).flatMap(({ id, status }) => (status === "running" ? [id] : []));
}

interface RunScene {
  readonly session: Session;
  readonly ending: Ending;
  readonly ignored: number;
}

/**
 * Handles an event of the session and returns a further event to publish, or `undefined`. Closes the session when its
 * only input has been processed.
 */
function answerTo(event: SessionEvent, { session, ending, ignored }: RunScene): SessionEvent | undefined {
  if (event.agentId !== undefined) return undefined;
  if (event.type === "session_start") return ignored > 0 ? ignoredMessages(event, ignored) : undefined;
  if (event.type === "turn_limit") ending.limit = `The limit ${event.data.limit} was reached (${event.data.count}).`;
  if (event.type !== "processing_end") return undefined;
  ending.isComplete = event.data.outcome === "completed";
  const running = runningIn(session);
  void session.close();
  return running.length > 0 ? closedSubagents(event, running) : undefined;
}

/**
 * Runs a session for its input and stores the result and conversation on the board (shared run state). Rejects with the
 * error that stopped the session.
 */
export async function runSessionFor(job: SessionRun): Promise<void> {
  const startedMs = job.now();
  const isContinued = job.run.resumeFrom === undefined && hasHistory(job);
  const beginning = beginningOf(job, startedMs, isContinued ? await loadEarlierConversation(job) : undefined);
  const ending: Ending = { isComplete: false, error: undefined };
  const boundaries = new BoundaryWriter(job, { startedMs, ...beginning });
  const session = createSession(job, beginning, {
    ending,
    onBoundary: (boundary) => boundaries.store(boundary),
    beforeEffect: () => boundaries.settle(),
  });
  const failures: unknown[] = [];
  const publisher = new EventPublisher(job, {
    steps: new FamilySteps({ agentId: job.agentId, begun: session.turns, children: beginning.children }),
    onPublished: (event) => {
      // If the state of a subagent changes, a checkpoint is stored with the last stored state of the session. The board
      // (shared run state) must not contain newer turns than that state. Therefore the board is not updated here if the
      // session has subagents.
      if (session.subagents.size === 0) boundaries.mirror(session.history);
      return answerTo(event, { session, ending, ignored: beginning.ignored });
    },
    onFailure: (error) => {
      failures.push(error);
      void session.close();
    },
  });
  boundaries.follow(session, publisher);
  boundaries.mirror(session.history);
  job.sessions.add(session);
  const release: (() => void)[] = [];
  try {
    // Registers the callbacks before the session starts, so that a failure leaves no running session behind.
    release.push(followStops(job, session, ending));
    release.push(followControl(job, session));
    release.push(session.listen(publisher.take));
    await beginning.begin(session);
    await publisher.settled();
    await session.close();
    await publisher.settled();
    if (ending.isComplete && hasHistory(job)) {
      await boundaries.store({ ...session.save().boundary, turns: session.history });
    }
  } finally {
    job.sessions.delete(session);
    for (const end of release) end();
    await session.close();
    job.board.set(SESSION_RESULT, { ...toResult(job, session, ending), duration_ms: boundaries.activeMs });
    boundaries.mirror(session.history);
    boundaries.mirrorChildren(Array.from(session.subagents.values(), ({ boundary }) => boundary));
  }
  if (failures.length > 0) throw failures[0];
  if (ending.isComplete) return;
  const failure = ending.error ?? (job.run.signal.aborted ? errorOfSignal(job.run.signal) : session.failure);
  if (failure !== undefined) throw failure;
}
