import {
  type AgentAdapter,
  EngineError,
  type RunTurnOptions,
  type StartAgentSessionOptions,
  type TurnResult,
} from "@switchyard/contracts";
import { createMasker, type Masker } from "@switchyard/secrets";
import type { AgentSettings } from "../definition/define-adapter.ts";
import { assertArgumentLength } from "../launch/assert-argument-length.ts";
import { assertWorkspace } from "../launch/assert-workspace.ts";
import { openTarget } from "../launch/open-target.ts";
import { type LaunchTarget, variablesOf } from "../launch/resolve-launch-target.ts";
import { feedInput, type WatchedEnd, watchProcess } from "../launch/watch-process.ts";
import { type McpConfigFile, writeMcpConfig } from "../mcp/mcp-config.ts";
import { decideTurn } from "../outcome/decide-turn.ts";
import { createStderrBuffer, type StderrBuffer } from "../output/create-stderr-buffer.ts";
import { createLineSplitter } from "../output/read-lines.ts";
import { stripColours } from "../output/strip-colours.ts";
import { adapterFault, reportUnparsedLine } from "../session/adapter-fault.ts";
import { createSessionRegistry, TurnGate } from "../session/session-registry.ts";
import { startTurnClock, type TurnClock } from "../turn/turn-clock.ts";
import { type SessionMemory, TurnRecorder } from "../turn/turn-recorder.ts";
import type { TurnScope } from "../turn/turn-scope.ts";
import { createUsageAccumulator } from "../usage/create-usage-accumulator.ts";

/** Maximum number of characters of standard error in an error message. */
const QUOTED_STDERR_CHARS = 8 * 1024;
/** Maximum length of a line of standard error that an adapter receives complete, in bytes. */
const MAX_STDERR_LINE_BYTES = 64 * 1024;

/** Input from which the command line of a turn is built. */
export interface TurnRequest<State> {
  /** 1-based number of the turn in this session. Turns that could not be started do not count. */
  readonly turn: number;
  /** Prompt for the agent. */
  readonly prompt: string;
  /** The agent's session id; empty until the agent reports it. */
  readonly sessionId: string;
  /** True if the session continues an earlier conversation. */
  readonly isResumed: boolean;
  /** Maximum number of remaining model turns. Default: no limit. */
  readonly maxTurns?: number | undefined;
  /** Path of the MCP configuration file. `undefined` if there are no servers. */
  readonly mcpConfigPath?: string | undefined;
  /** Private state that the adapter stores for the session. All turns of the session share it. */
  readonly state: State;
}

/** Arguments and input for the process of one turn. */
export interface TurnInvocation {
  /** Command-line arguments, appended to the configured command. */
  readonly args: readonly string[];
  /** Standard input. Default: none. Prompts belong here if the program supports it. */
  readonly stdin?: string | undefined;
  /** Environment variables of this process. They override variables of the configuration. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** How the process of a turn ended. */
export interface TurnEnd {
  /** Exit code. 0 if the process was ended because it did not exit after its last output. */
  readonly exitCode: number;
  /**
   * Signal that ended the process after its last output. `undefined` if no signal ended it, or if the adapter kit sent
   * the signal.
   */
  readonly signal?: string | undefined;
  /** The first and last lines of standard error, with secrets masked. */
  readonly stderr: readonly string[];
  /** True if the process printed at least one non-empty line. */
  readonly responded: boolean;
}

/** Agent-specific behaviour for agents that start one process per turn. See agent-adapter: ForkPerTurnHooks. */
export interface ForkPerTurnHooks<State> {
  /**
   * Creates the state of a session, and checks credentials if the agent would hang without them. No turn is started
   * yet.
   */
  readonly start: (target: LaunchTarget, options: StartAgentSessionOptions) => State | Promise<State>;
  /** Returns the id of a new session, for agents whose adapter chooses the session id. */
  readonly mintSessionId?: ((state: State) => string) | undefined;
  /** True to emit `session_started` before any output, for agents that report no id. Default: false. */
  readonly announcesEarly?: boolean | undefined;
  /** True if MCP servers are passed in a file. Default: true, if the agent supports MCP. */
  readonly readsMcpFile?: boolean | undefined;
  /** Returns the arguments and input of a turn. */
  readonly buildTurn: (request: TurnRequest<State>) => TurnInvocation;
  /** Handles a line of output. Throws if the line cannot be parsed. */
  readonly parseLine: (line: string, turn: TurnScope, state: State) => void;
  /**
   * Matches the message with which the agent reports that it does not have the session to resume. Applied to lines of
   * standard error and to failure reasons. Contract: matches none of the other messages that the agent may print before
   * it starts to work, because each match is reported as `adapter.session_not_found`.
   */
  readonly sessionNotFound?: RegExp | undefined;
  /**
   * Handles a line of standard error, for agents that report on standard error how the turn ended. Secrets in the line
   * are not masked yet.
   */
  readonly parseStderr?: ((line: string, turn: TurnScope, state: State) => void) | undefined;
  /**
   * Called after the process has exited, or was ended because it did not exit after its last output. Reports to `turn`
   * what is known only then, for example how the turn ended. Not called for a process that a signal ended before its
   * last output.
   */
  readonly finish?: ((end: TurnEnd, turn: TurnScope, state: State) => void | Promise<void>) | undefined;
}

/** A session of an agent that starts one process per turn. */
interface ForkSession<State> {
  readonly target: LaunchTarget;
  readonly state: State;
  readonly memory: SessionMemory;
  readonly masker: Masker;
  readonly gate: TurnGate;
  readonly isResumed: boolean;
  readonly mcpConfig: McpConfigFile | undefined;
  turns: number;
}

/** A running turn. */
interface RunningTurn {
  readonly recorder: TurnRecorder;
  readonly clock: TurnClock;
  readonly stderr: StderrBuffer;
  readonly cancellation: AbortController;
  responded: boolean;
}

/**
 * Creates an adapter for an agent that starts one process per turn. The workspace is checked before the process is
 * started. Output is read line by line, and the complete process group is ended with the turn. `decideTurn` decides how
 * the turn ended. See agent-adapter: fork per turn.
 */
export function forkPerTurnAdapter<State>(settings: AgentSettings, hooks: ForkPerTurnHooks<State>): AgentAdapter {
  const { kind, capabilities, modelRoute } = settings;
  const sessions = createSessionRegistry<ForkSession<State>>(kind);
  return {
    ...{ kind, capabilities, modelRoute },
    async startSession(options) {
      const session = await openSession(settings, hooks, options);
      return sessions.add(session, () => session.memory.sessionId);
    },
    async runTurn(session, options) {
      const found = sessions.stateOf(session);
      return found.gate.run((stopped) => runTurn({ settings, hooks, session: found }, options, stopped));
    },
    async stopSession(session) {
      const { gate, mcpConfig } = sessions.stateOf(session);
      await gate.stop();
      await mcpConfig?.remove();
    },
  };
}

async function openSession<State>(
  settings: AgentSettings,
  hooks: ForkPerTurnHooks<State>,
  options: StartAgentSessionOptions,
): Promise<ForkSession<State>> {
  const { capabilities, kind } = settings;
  const { environment, workspacePath, resumeSessionId = "" } = options;
  const target = await openTarget(settings, options);
  const state = await hooks.start(target, options);
  const isResumed = resumeSessionId !== "" && capabilities.resume !== "none";
  const servers = capabilities.mcp && hooks.readsMcpFile !== false ? options.mcpServers : undefined;
  const folder = `${workspacePath}/.switchyard-mcp-${settings.createId()}`;
  return {
    ...{ target, state, isResumed, turns: 0, gate: new TurnGate(kind) },
    mcpConfig: await writeMcpConfig(environment, servers, folder),
    masker: createMasker(Object.values(target.variables)),
    memory: {
      sessionId: isResumed ? resumeSessionId : (hooks.mintSessionId?.(state) ?? ""),
      ...{ isAnnounced: false, usage: createUsageAccumulator() },
    },
  };
}

interface ForkTurn<State> {
  readonly settings: AgentSettings;
  readonly hooks: ForkPerTurnHooks<State>;
  readonly session: ForkSession<State>;
}

async function runTurn<State>(
  parts: ForkTurn<State>,
  options: RunTurnOptions,
  stopped: AbortSignal,
): Promise<TurnResult> {
  const { settings, session } = parts;
  const cancellation = new AbortController();
  using clock = startTurnClock(settings.timeouts, [options.signal, stopped]);
  const recorder = new TurnRecorder({
    ...{ memory: session.memory, masker: session.masker, now: settings.now, deliver: options.onEvent },
    ...{ clock, onQuestion: () => cancellation.abort() },
  });
  const turn: RunningTurn = {
    recorder,
    clock,
    cancellation,
    responded: false,
    stderr: createStderrBuffer(session.masker),
  };
  const ended = await attempt(parts, options, turn);
  if (clock.isGraceOver) recorder.notify(lingeringProcessNotice(settings));
  const failure = ended instanceof EngineError ? ended : await finish(parts, turn, ended);
  if (!(ended instanceof EngineError)) reportLostSession(parts, turn);
  const verdict =
    failure !== undefined && clock.stop === undefined
      ? { exitReason: "turn_failed" as const, error: failure }
      : decideTurn({
          ...{ stop: clock.stop, question: recorder.question, report: recorder.lastReport },
          ...(ended instanceof EngineError ? {} : ended),
          ...{ responded: turn.responded, worked: recorder.worked, command: session.target.command.join(" ") },
          isRemote: session.target.isRemote,
          stderr: turn.stderr.tail(QUOTED_STDERR_CHARS),
        });
  const failed = verdict.exitReason === "turn_failed";
  if (failed) for (const line of turn.stderr.lines()) recorder.notify(`stderr: ${line}`);
  return recorder.end(verdict);
}

/**
 * Reports that the session to resume does not exist. This requires that the agent printed a corresponding message
 * before it did any work.
 */
function reportLostSession<State>(
  { hooks: { sessionNotFound }, session }: ForkTurn<State>,
  { recorder, stderr }: RunningTurn,
): void {
  const { lastReport: report, worked } = recorder;
  const isContinued = session.isResumed || session.turns > 1;
  if (sessionNotFound === undefined || !isContinued || worked || report?.kind === "success") return;
  const messages = [...(report?.kind === "failure" ? [report.problem] : []), ...stderr.lines()];
  const problem = messages.find((line) => sessionNotFound.test(line));
  if (problem !== undefined) recorder.report({ kind: "failure", code: "adapter.session_not_found", problem });
}

/** Returns a notice about a process that had to be ended after its result. */
export function lingeringProcessNotice({ timeouts: { resultGraceMs } }: AgentSettings): string {
  return `the agent reported its result and did not exit within ${resultGraceMs} ms: its process was ended`;
}

/**
 * Calls the `finish` hook, which may read the last lines on standard error to report how the turn ended. Resolves with
 * the error of the hook, if it fails.
 */
async function finish<State>(
  { hooks, session: { state, masker } }: ForkTurn<State>,
  { recorder, clock, cancellation, stderr, responded }: RunningTurn,
  { exit: { exitCode, signal } }: WatchedEnd,
): Promise<EngineError | undefined> {
  if (clock.stop !== undefined || cancellation.signal.aborted) return undefined;
  if (!clock.isExitExpected && (signal !== undefined || exitCode === 127)) return undefined;
  const exit = clock.isGraceOver ? { exitCode: 0 } : { exitCode, signal };
  try {
    await hooks.finish?.({ ...exit, stderr: stderr.lines(), responded }, recorder, state);
    return undefined;
  } catch (error) {
    const problem = "the end of its turn could not be read";
    return adapterFault(error, { code: "adapter.response_error", problem, masker });
  }
}

/** Starts the process of a turn and reads it to its end; resolves with an error if it could not be started. */
async function attempt<State>(
  parts: ForkTurn<State>,
  { prompt, maxTurns }: RunTurnOptions,
  turn: RunningTurn,
): Promise<WatchedEnd | EngineError> {
  const { settings, hooks, session } = parts;
  const { target, memory, state, isResumed, mcpConfig } = session;
  const { recorder, clock, cancellation } = turn;
  try {
    const number = session.turns + 1;
    const request = { turn: number, prompt, sessionId: memory.sessionId, isResumed, state, maxTurns };
    const invocation = hooks.buildTurn({ ...request, mcpConfigPath: mcpConfig?.path });
    const argv = [...target.command, ...invocation.args];
    assertArgumentLength(argv, settings.kind);
    const process = await spawnAgent(target, argv, { env: invocation.env, signal: clock.signal });
    session.turns = number;
    recorder.agentPid = process.pid;
    if (hooks.announcesEarly === true) recorder.sessionStarted(memory.sessionId);
    void feedInput(process, invocation.stdin ?? "");
    return await watchProcess(process, {
      onLine: ({ text, isCut }) => handleLine(parts, turn, { text, isCut }),
      onStderr: stderrOf(parts, turn),
      signal: AbortSignal.any([clock.signal, cancellation.signal]),
      graceMs: settings.timeouts.stopGraceMs,
    });
  } catch (error) {
    const { masker } = session;
    return adapterFault(error, { code: "adapter.port_exit", problem: "it could not be run", masker });
  }
}

/**
 * Starts an agent's process in the session's workspace, after checking again that the workspace exists. Rejects with
 * `adapter.*`.
 */
export async function spawnAgent(
  target: LaunchTarget,
  argv: readonly string[],
  { env, signal }: { readonly env?: Readonly<Record<string, string>> | undefined; readonly signal: AbortSignal },
): Promise<Awaited<ReturnType<LaunchTarget["environment"]["spawn"]>>> {
  const { environment, workspacePath } = target;
  await assertWorkspace(environment, workspacePath);
  if (signal.aborted) throw new EngineError("adapter.turn_cancelled");
  try {
    return await environment.spawn(argv, { cwd: workspacePath, env: variablesOf(target, env) });
  } catch (error) {
    if (EngineError.is(error, "environment.command_not_found")) {
      throw new EngineError("adapter.agent_not_found", { command: target.command[0] }, { cause: error });
    }
    const problem = EngineError.is(error) ? error.message : "it could not be started";
    throw new EngineError("adapter.port_exit", { problem }, { cause: error });
  }
}

/** Stores standard error and passes its lines to the adapter. */
function stderrOf<State>(
  { hooks: { parseStderr }, session: { state } }: ForkTurn<State>,
  { recorder, stderr }: Pick<RunningTurn, "recorder" | "stderr">,
): (chunk: Uint8Array) => void {
  if (parseStderr === undefined) return stderr.write;
  const lines = createLineSplitter(({ text }) => {
    try {
      parseStderr(stripColours(text), recorder, state);
    } catch (error) {
      reportUnparsedLine(recorder, text, error);
    }
  }, MAX_STDERR_LINE_BYTES);
  return (chunk) => {
    stderr.write(chunk);
    lines.write(chunk);
  };
}

function handleLine<State>(
  { hooks, session }: ForkTurn<State>,
  turn: RunningTurn,
  { text, isCut }: { readonly text: string; readonly isCut: boolean },
): void {
  const { recorder, clock } = turn;
  // When the process is being ended after its result, further output does not belong to the turn.
  if (text.trim() === "" || clock.isGraceOver) {
    recorder.notify("");
    return;
  }
  clock.responded();
  turn.responded = true;
  const before = recorder.eventCount;
  if (isCut) {
    recorder.malformed(text);
    return;
  }
  try {
    hooks.parseLine(text, recorder, session.state);
  } catch (error) {
    reportUnparsedLine(recorder, text, error);
  }
  // Every line of standard error counts as a heartbeat and is published. See agent-adapter: events.
  if (recorder.eventCount === before) recorder.notify("");
}
