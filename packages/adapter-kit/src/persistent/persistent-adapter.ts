import {
  type AgentAdapter,
  EngineError,
  type RunTurnOptions,
  type SpawnedProcess,
  type StartAgentSessionOptions,
  type TurnResult,
} from "@switchyard/contracts";
import { createMasker, type Masker } from "@switchyard/secrets";
import type { AgentSettings } from "../definition/define-adapter.ts";
import { lingeringProcessNotice, spawnAgent } from "../fork/fork-per-turn-adapter.ts";
import { openTarget } from "../launch/open-target.ts";
import type { LaunchTarget } from "../launch/resolve-launch-target.ts";
import { createTimeout, watchProcess } from "../launch/watch-process.ts";
import { decideTurn } from "../outcome/decide-turn.ts";
import { createStderrBuffer, type StderrBuffer } from "../output/create-stderr-buffer.ts";
import type { JsonObject } from "../output/parse-json-line.ts";
import type { OutputLine } from "../output/read-lines.ts";
import { adapterFault, reportUnparsedLine } from "../session/adapter-fault.ts";
import { createSessionRegistry, TurnGate } from "../session/session-registry.ts";
import { startTurnClock, type TurnClock } from "../turn/turn-clock.ts";
import { type SessionMemory, TurnRecorder } from "../turn/turn-recorder.ts";
import type { TurnScope } from "../turn/turn-scope.ts";
import { createUsageAccumulator } from "../usage/create-usage-accumulator.ts";
import { createJsonRpcPeer, type JsonRpcPeer, lineSender } from "./json-rpc-peer.ts";

/** Maximum number of characters of standard error in an error message. */
const QUOTED_STDERR_CHARS = 8 * 1024;

/** Context for the hooks of a persistent agent, whose process runs as long as its session. */
export interface PersistentContext<State> {
  /** Connection to the process. */
  readonly peer: JsonRpcPeer;
  /** The adapter's private state of the session. */
  readonly state: State;
  /** Program of the agent, and the workspace and environment in which it runs. */
  readonly target: LaunchTarget;
  /** Options with which the session was started. */
  readonly options: StartAgentSessionOptions;
  /** The agent's session id; empty until the agent reports it. */
  readonly sessionId: string;
  /** Time limit of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** Agent-specific behaviour for agents with one process per session. See agent-adapter: persistent process. */
export interface PersistentHooks<State> {
  /**
   * Command-line arguments, appended to the configured command. If this is a function, it is called with the program to
   * run.
   */
  readonly args?: readonly string[] | ((target: LaunchTarget) => readonly string[]) | undefined;
  /**
   * Environment variables of the process. They take precedence over inherited values. If this is a function, it is
   * called with the program to run.
   */
  readonly env?:
    | Readonly<Record<string, string>>
    | ((target: LaunchTarget) => Readonly<Record<string, string>>)
    | undefined;
  /** True if messages have the member `jsonrpc`. Default: true. */
  readonly marked?: boolean | undefined;
  /** Creates the state of a session. */
  readonly start: (target: LaunchTarget, options: StartAgentSessionOptions) => State | Promise<State>;
  /** Opens or resumes the conversation within the startup time; resolves with the agent's session id. */
  readonly handshake: (context: PersistentContext<State>) => Promise<string>;
  /**
   * Requests a turn from the agent, and resolves when the turn has ended. How the turn ended is reported through the
   * `TurnScope`.
   */
  readonly runTurn: (prompt: string, turn: TurnScope, context: PersistentContext<State>) => Promise<void>;
  /** Handles a notification of the turn. */
  readonly onNotification: (message: RpcMessage, turn: TurnScope, state: State) => void;
  /**
   * Responds to a request of the agent. Resolves with `undefined` if the request is not supported. Contract: grants
   * nothing on a user's behalf.
   */
  readonly onRequest: (
    message: RpcMessage,
    turn: TurnScope,
    state: State,
  ) => JsonObject | undefined | Promise<JsonObject | undefined>;
  /**
   * Called with the result of a request to the agent. Messages that arrived after the result are handled after this
   * call.
   */
  readonly onResult?: ((answered: RpcResult, state: State) => void) | undefined;
  /** Asks the agent to end its turn, before its process is ended. */
  readonly interrupt: (context: PersistentContext<State>) => void;
}

/** A notification or request of the agent. */
export interface RpcMessage {
  /** Name of the method. */
  readonly method: string;
  /** Parameters of the method. */
  readonly params: JsonObject;
}

/** The result of a request to the agent. */
export interface RpcResult {
  /** Name of the requested method. */
  readonly method: string;
  /** Result of the request. */
  readonly result: JsonObject;
}

interface LiveProcess {
  readonly process: SpawnedProcess;
  readonly peer: JsonRpcPeer;
  /** Closes standard input, which makes many agents exit. */
  readonly closeInput: () => void;
  readonly ending: AbortController;
  /** Resolves when the process has ended. */
  readonly over: Promise<void>;
  exit?: { readonly exitCode: number; readonly signal?: string | undefined };
}

interface PersistentSession<State> {
  readonly settings: AgentSettings;
  readonly hooks: PersistentHooks<State>;
  readonly options: StartAgentSessionOptions;
  readonly target: LaunchTarget;
  readonly state: State;
  readonly memory: SessionMemory;
  readonly masker: Masker;
  readonly gate: TurnGate;
  /** Standard error of the process since the last turn. */
  stderr: StderrBuffer;
  /** Messages that arrived while no turn was running. The next turn handles these messages first. */
  readonly early: RpcMessage[];
  turn: TurnRecorder | undefined;
  clock: TurnClock | undefined;
  live: LiveProcess | undefined;
  /** Pending work of the current turn; never rejects. */
  work: Promise<unknown>;
  responded: boolean;
}

/** Maximum number of stored messages that arrived while no turn was running. Further ones are dropped. */
const MAX_EARLY = 1_000;

/**
 * Creates an adapter for an agent that runs one process per session and speaks JSON-RPC over standard input and output.
 * The process is started with the first turn. See agent-adapter: persistent process.
 */
export function persistentAdapter<State>(settings: AgentSettings, hooks: PersistentHooks<State>): AgentAdapter {
  const { kind, capabilities, modelRoute } = settings;
  const sessions = createSessionRegistry<PersistentSession<State>>(kind);
  return {
    ...{ kind, capabilities, modelRoute },
    async startSession(options) {
      const session = await openSession(settings, hooks, options);
      return sessions.add(session, () => session.memory.sessionId);
    },
    async runTurn(session, options) {
      const found = sessions.stateOf(session);
      return found.gate.run((stopped) => runTurn(found, options, stopped));
    },
    async stopSession(session) {
      const found = sessions.stateOf(session);
      await found.gate.stop();
      await endProcess(found);
    },
  };
}

async function openSession<State>(
  settings: AgentSettings,
  hooks: PersistentHooks<State>,
  options: StartAgentSessionOptions,
): Promise<PersistentSession<State>> {
  const { capabilities, kind } = settings;
  const { resumeSessionId = "" } = options;
  const target = await openTarget(settings, options);
  const masker = createMasker(Object.values(target.variables));
  const sessionId = capabilities.resume === "none" ? "" : resumeSessionId;
  return {
    ...{ settings, hooks, options, target, masker, gate: new TurnGate(kind), early: [], responded: false },
    state: await hooks.start(target, options),
    memory: { sessionId, isAnnounced: false, usage: createUsageAccumulator() },
    stderr: createStderrBuffer(masker),
    ...{ turn: undefined, clock: undefined, live: undefined, work: Promise.resolve() },
  };
}

async function runTurn<State>(
  session: PersistentSession<State>,
  options: RunTurnOptions,
  stopped: AbortSignal,
): Promise<TurnResult> {
  const { settings, memory, masker } = session;
  const cancellation = new AbortController();
  using clock = startTurnClock(settings.timeouts, [options.signal, stopped]);
  const recorder = new TurnRecorder({
    ...{ memory, masker, now: settings.now, deliver: options.onEvent },
    ...{ clock, onQuestion: () => cancellation.abort(), askPermission: options.askPermission },
  });
  session.turn = recorder;
  session.clock = clock;
  try {
    const failure = await converse(session, options.prompt, AbortSignal.any([clock.signal, cancellation.signal]));
    if (clock.signal.aborted || cancellation.signal.aborted) await interruptTurn(session);
    if (clock.isGraceOver) recorder.notify(lingeringProcessNotice(settings));
    const isOwn = clock.stop === undefined && recorder.question === undefined && session.live?.exit === undefined;
    if (failure !== undefined && isOwn) {
      // A session cannot continue on a broken connection, so its process is ended.
      // A report that the agent sent before the failure remains valid.
      await endProcess(session);
      if (recorder.lastReport === undefined) return recorder.end({ exitReason: "turn_failed", error: failure });
    }
    const verdict = decideTurn({
      ...{ stop: clock.stop, question: recorder.question, report: recorder.lastReport },
      ...{ responded: session.responded, worked: recorder.worked, command: session.target.command.join(" ") },
      ...{ exit: brokenExit(session.live), isRemote: session.target.isRemote },
      stderr: session.stderr.tail(QUOTED_STDERR_CHARS),
    });
    if (session.live?.exit !== undefined) session.live = undefined;
    if (verdict.exitReason === "turn_failed") {
      for (const line of session.stderr.lines()) recorder.notify(`stderr: ${line}`);
    }
    return recorder.end(verdict);
  } finally {
    session.turn = undefined;
    session.clock = undefined;
    session.stderr = createStderrBuffer(masker);
  }
}

/** Returns how the process ended during a turn. Exit code 0 is not a success in the middle of a turn. */
function brokenExit(live: LiveProcess | undefined): LiveProcess["exit"] {
  return live?.exit?.exitCode === 0 && live.exit.signal === undefined ? undefined : live?.exit;
}

/** Returns an error with secrets masked in its message and cause, which quote the agent. */
function withoutSecrets(error: EngineError, masker: Masker): EngineError {
  const { problem } = error.details;
  if (typeof problem !== "string") return error;
  return new EngineError(error.code, { ...error.details, problem: masker.mask(problem) });
}

/** Starts the process if needed and requests the turn; resolves with its failure. */
async function converse<State>(
  session: PersistentSession<State>,
  prompt: string,
  signal: AbortSignal,
): Promise<EngineError | undefined> {
  const { hooks, state, turn } = session;
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const work = async (): Promise<EngineError | undefined> => {
    try {
      const live = await connect(session, signal);
      if (turn === undefined || signal.aborted) return undefined;
      turn.agentPid = live.process.pid;
      turn.sessionStarted(session.memory.sessionId);
      for (const message of session.early.splice(0)) hooks.onNotification(message, turn, state);
      await hooks.runTurn(prompt, turn, contextOf(session, live.peer));
      return undefined;
    } catch (error) {
      const { masker } = session;
      if (EngineError.is(error)) return withoutSecrets(error, masker);
      return adapterFault(error, {
        code: "adapter.response_error",
        problem: "its response has an unknown form",
        masker,
      });
    }
  };
  const working = work();
  session.work = working;
  return Promise.race([working, aborted]);
}

function contextOf<State>(session: PersistentSession<State>, peer: JsonRpcPeer): PersistentContext<State> {
  const { state, target, options, memory, settings } = session;
  const { startupTimeoutMs: requestTimeoutMs } = settings.timeouts;
  return { peer, state, target, options, sessionId: memory.sessionId, requestTimeoutMs };
}

async function connect<State>(session: PersistentSession<State>, signal: AbortSignal): Promise<LiveProcess> {
  if (session.live !== undefined && session.live.exit === undefined) {
    session.clock?.responded();
    return session.live;
  }
  const { hooks, target, memory } = session;
  const args = typeof hooks.args === "function" ? hooks.args(target) : (hooks.args ?? []);
  const env = typeof hooks.env === "function" ? hooks.env(target) : hooks.env;
  const process = await spawnAgent(target, [...target.command, ...args], { env, signal });
  const live = watch(session, process);
  session.live = live;
  if (session.turn !== undefined) session.turn.agentPid = process.pid;
  memory.sessionId = await hooks.handshake(contextOf(session, live.peer));
  session.clock?.responded();
  return live;
}

function watch<State>(session: PersistentSession<State>, process: SpawnedProcess): LiveProcess {
  const { hooks, state, settings } = session;
  const ending = new AbortController();
  const input = lineSender(process);
  const peer = createJsonRpcPeer(
    input.send,
    {
      onNotification(method, params) {
        const { turn, early } = session;
        if (turn !== undefined) hooks.onNotification({ method, params }, turn, state);
        else if (early.length < MAX_EARLY) early.push({ method, params });
      },
      async onRequest(method, params) {
        const { turn } = session;
        return turn === undefined ? undefined : hooks.onRequest({ method, params }, turn, state);
      },
      onResult: (method, result) => hooks.onResult?.({ method, result }, state),
    },
    { marked: hooks.marked ?? true },
  );
  const watched = watchProcess(process, {
    ...{
      onStderr: (chunk) => session.stderr.write(chunk),
      signal: ending.signal,
      graceMs: settings.timeouts.stopGraceMs,
    },
    onLine: (line) => handleLine(session, peer, line),
  });
  const live: LiveProcess = { process, peer, ending, closeInput: input.close, over: settle() };
  async function settle(): Promise<void> {
    const { exit } = await watched;
    live.exit = exit;
    peer.close(`exit ${exit.signal ?? exit.exitCode}`);
  }
  return live;
}

function handleLine<State>(session: PersistentSession<State>, peer: JsonRpcPeer, { text, isCut }: OutputLine): void {
  const { turn } = session;
  if (text.trim() === "") {
    turn?.notify("");
    return;
  }
  session.responded = true;
  const before = turn?.eventCount;
  if (isCut) {
    turn?.malformed(text);
    return;
  }
  try {
    peer.take(text);
  } catch (error) {
    if (turn !== undefined) reportUnparsedLine(turn, text, error);
  }
  if (turn?.eventCount === before) turn?.notify("");
}

/**
 * Interrupts a turn with a protocol request, then ends the agent's process. An interrupted turn must not continue in
 * the background.
 */
async function interruptTurn<State>(session: PersistentSession<State>): Promise<void> {
  const { live, hooks, settings } = session;
  if (live === undefined) return;
  try {
    hooks.interrupt(contextOf(session, live.peer));
    await workOver();
  } catch {
    // The process is ended in any case, so a failure to interrupt the turn is ignored.
  }
  await endProcess(session);
  // All output of the ended process has been read. The turn handles this output before it ends.
  await workOver();

  async function workOver(): Promise<void> {
    const timeout = createTimeout(settings.timeouts.stopGraceMs);
    await Promise.race([session.work, timeout.over]);
    timeout.cancel();
  }
}

async function endProcess<State>(session: PersistentSession<State>): Promise<void> {
  const { live } = session;
  session.live = undefined;
  if (live === undefined) return;
  live.closeInput();
  live.ending.abort();
  await live.over.catch(() => {});
}
