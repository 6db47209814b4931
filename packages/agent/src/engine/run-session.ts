import {
  addUsage,
  DEPENDENCY,
  EngineError,
  isOutputSpool,
  isToolSource,
  MAIN_CHANNEL,
  type OutputSpool,
  SESSION_RESULT,
  type SessionResult,
  type ToolSource,
  type Usage,
} from "@switchyard/contracts";
import { errorOfSignal, getDependency } from "@switchyard/engine";
import { leave } from "../session/leave-events.ts";
import { Session } from "../session/session.ts";
import type { SessionBoundary } from "../session/session-boundary.ts";
import type { SessionEvent, SessionEvents } from "../session/session-event.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { Turn } from "../session/turn.ts";
import { AGENT_PROMPT, AGENT_TURNS, parseAgentCheckpoint } from "./agent-checkpoint.ts";
import { decisionsOf } from "./ask-host.ts";
import { BoundaryKeeper } from "./boundary-keeper.ts";
import { clearChildren } from "./children-on-board.ts";
import { FamilySteps } from "./family-steps.ts";
import { followControl, followStops } from "./follow-run.ts";
import { isNameList } from "./is-name-list.ts";
import { publishEvent } from "./publish-event.ts";
import { historyFromInput } from "./session-input-history.ts";
import type { Ending, SessionRun } from "./session-run.ts";
import { nameOfStep, type StepEvent } from "./step-tracker.ts";
import { toTranscript } from "./transcript.ts";

/** Where a run begins: with its input, or at a boundary of an earlier attempt. */
interface Beginning {
  readonly options: Pick<SessionOptions, "history" | "resumeFrom">;
  /** Begins the work. */
  readonly begin: (session: Session) => SessionEvents;
  /** Messages of the input that no model will see, where that was not told before. */
  readonly ignored: number;
  readonly activeMs: number;
  readonly mirrored: number;
  readonly children: SessionBoundary["children"];
}

function resumption({ board, payload }: NonNullable<SessionRun["run"]["resumeFrom"]>): Beginning {
  const { boundary, activeMs } = parseAgentCheckpoint({ board, payload });
  return {
    options: { resumeFrom: boundary },
    begin: (session) => session.resume(),
    ignored: 0,
    activeMs,
    mirrored: boundary.turns.length,
    children: boundary.children,
  };
}

function beginningOf({ run, board, input }: SessionRun, startedMs: number): Beginning {
  if (run.resumeFrom !== undefined) return resumption(run.resumeFrom);
  const asked = historyFromInput(input, new Date(startedMs).toISOString());
  board.setChannel(MAIN_CHANNEL, []);
  board.set(AGENT_TURNS, []);
  board.deleteVar(AGENT_PROMPT.name);
  clearChildren(board);
  return {
    options: { history: asked.history },
    begin: (session) => session.submit(asked.input),
    ignored: asked.ignored,
    activeMs: 0,
    mirrored: 0,
    children: undefined,
  };
}

interface SessionHooks extends Pick<SessionOptions, "onBoundary" | "beforeEffect"> {
  readonly ending: Ending;
}

/** Where the host keeps outputs that are too large for an event, if it does. architecture: decision 10. */
function outputSpoolOf({ deps }: SessionRun["run"]): OutputSpool | undefined {
  return deps.has(DEPENDENCY.outputSpool) ? getDependency(deps, DEPENDENCY.outputSpool, isOutputSpool) : undefined;
}

/** Where further tools come from, where the host has some. loop: MCP, §8. */
function toolSourceOf({ deps }: SessionRun["run"]): ToolSource | undefined {
  return deps.has(DEPENDENCY.toolRegistry) ? getDependency(deps, DEPENDENCY.toolRegistry, isToolSource) : undefined;
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
    config: { ...config, maxTurns: limits.length === 0 ? 0 : Math.min(...limits) },
    reportUsage,
    outputSpool: outputSpoolOf(run),
    toolSource: toolSourceOf(run),
    ...hooks,
  });
  return session;
}

/** The last text the agent said. */
function lastWords(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.type === "assistant" && turn.content !== "");
  return last?.type === "assistant" ? last.content : "";
}

function toResult(job: SessionRun, session: Session, ending: Ending): SessionResult {
  const { history, turns } = session;
  const usage = Array.from(session.subagents.values()).reduce(
    (sum, child) => addUsage(sum, child.usage),
    session.usage,
  );
  return {
    exit_code: ending.isComplete ? 0 : 1,
    final_message: lastWords(history.slice(session.firstTurn)),
    engine: job.name,
    model: `${job.profile.provider}/${session.config.model ?? job.profile.model}`,
    turns,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    transcript: toTranscript(history),
  };
}

/** What is said about messages that no model will see. */
function ignoredMessages({ timestamp, sessionId }: SessionEvent, count: number): SessionEvent {
  const message = `Messages of the input behind the last user message were left out: ${count}.`;
  return { type: "warning", timestamp, sessionId, data: { kind: "messages_ignored", message } };
}

/** What is said about subagents that are ended with the run although they were still working. */
function closedSubagents({ timestamp, sessionId }: SessionEvent, ids: readonly string[]): SessionEvent {
  const message = `The agent came to its end while subagents were still working, which were closed: ${ids.join(", ")}.`;
  return { type: "warning", timestamp, sessionId, data: { kind: "subagents_closed", message, details: { ids } } };
}

/** Whether an event is the end of the input: what the session itself says, not one of its subagents. */
function isEndOfInput({ type, agentId }: SessionEvent): boolean {
  return type === "processing_end" && agentId === undefined;
}

/** Ids of the subagents that are at work. */
function runningIn(session: Session): readonly string[] {
  return Array.from(session.subagents.values()).flatMap(({ id, status }) => (status === "running" ? [id] : []));
}

/** Publishes the events of a session, with the steps that they begin and end. */
class EventPublisher {
  readonly #job: SessionRun;
  readonly #steps: FamilySteps;

  constructor(job: SessionRun, session: Session, { children }: Beginning) {
    this.#job = job;
    this.#steps = new FamilySteps({ agentId: job.agentId, begun: session.turns, children });
  }

  publish(event: SessionEvent): Promise<void> {
    const steps = this.#steps.take(event);
    if (steps.length > 0) return this.#publishWith(steps, event);
    return publishEvent(this.#job, event, this.#steps.actorOf(event));
  }

  async #publishWith(steps: readonly StepEvent[], event: SessionEvent): Promise<void> {
    for (const step of steps) await publishEvent(this.#job, step, step.data.step);
    await publishEvent(this.#job, event, this.#steps.actorOf(event));
  }
}

/** Everything that happens in the session until it is closed, which it is behind its one input. */
async function followEvents(
  events: SessionEvents,
  { session, take }: { session: Session; take: (event: SessionEvent) => Promise<void> },
): Promise<void> {
  for await (const event of events) {
    await take(event);
    if (!isEndOfInput(event)) continue;
    const running = runningIn(session);
    if (running.length > 0) await take(closedSubagents(event, running));
    void session.close();
  }
}

/** Runs one session over its input and puts result and conversation on the board. Rejects with what stopped it. */
export async function runSessionFor(job: SessionRun): Promise<void> {
  const startedMs = job.now();
  const beginning = beginningOf(job, startedMs);
  const ending: Ending = { isComplete: false, error: undefined };
  const keeper = new BoundaryKeeper(job, { startedMs, ...beginning });
  const session = createSession(job, beginning, {
    ending,
    onBoundary: (boundary) => keeper.keep(boundary),
    beforeEffect: () => keeper.settle(),
  });
  const publisher = new EventPublisher(job, session, beginning);
  const take = async (event: SessionEvent): Promise<void> => {
    if (event.type === "processing_end" && isEndOfInput(event)) ending.isComplete = event.data.outcome === "completed";
    await publisher.publish(event);
    if (event.type === "session_start" && event.agentId === undefined && beginning.ignored > 0) {
      await publisher.publish(ignoredMessages(event, beginning.ignored));
    }
    // With subagents, whose boundaries come at any time, the board is where the last boundary was.
    if (session.subagents.size === 0) keeper.mirror(session.history);
  };
  keeper.mirror(session.history);
  job.sessions.add(session);
  const release: (() => void)[] = [];
  try {
    // Before it begins: what the host hands over may be none of that, and then nothing must be going on.
    release.push(followStops(job, session, ending));
    release.push(followControl(job, session));
    const events = session.events();
    keeper.follow(session, events);
    leave(beginning.begin(session));
    await followEvents(events, { session, take });
  } finally {
    job.sessions.delete(session);
    for (const end of release) end();
    await session.close();
    job.board.set(SESSION_RESULT, { ...toResult(job, session, ending), duration_ms: keeper.activeMs });
    keeper.mirror(session.history);
    keeper.mirrorChildren(Array.from(session.subagents.values(), ({ boundary }) => boundary));
  }
  if (ending.isComplete) return;
  const failure = ending.error ?? (job.run.signal.aborted ? errorOfSignal(job.run.signal) : session.failure);
  if (failure !== undefined) throw failure;
}
