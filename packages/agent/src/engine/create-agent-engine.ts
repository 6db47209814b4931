import {
  type Board,
  DEPENDENCY,
  type Engine,
  EngineError,
  type Host,
  isExecutionEnvironment,
  type Run,
  SESSION_INPUT,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import type { Session } from "../session/session.ts";
import { assertAgentCheckpoint, specVersionOf } from "./agent-checkpoint.ts";
import type { AgentEngineOptions } from "./agent-engine-options.ts";
import { runSessionFor } from "./run-session.ts";

/**
 * The agent loop as an engine: one run is one session with one input.
 *
 * From the board it takes `SESSION_INPUT`: the messages are the history, the last user message is the input, and
 * `max_turns` and `timeout_seconds` are limits. From the run's dependencies it takes the environment, and where they
 * are there the control messages and the names of the tools it may use. The host sees every event of the session as
 * an envelope and every answer's usage; when it allows no further call, the run fails with its `budget.exceeded`.
 *
 * It sets `SESSION_RESULT`: exit code 0 when the last response ended in `stop`, else 1 with the reason in
 * `stderr`: a limit, an empty response, one that was cut off or withheld. `finish_reason` says how it ended. When the
 * session fails or is stopped, `execute` rejects with the reason, and the result on the board (exit code 1) tells how
 * far it came. The main channel holds the conversation at any time; that of an agent with subagents up to its last
 * boundary, until it ends. architecture: the one flow.
 *
 * Twice per tool round, and waiting for it, the engine hands the host a checkpoint: the answer with the calls it asks
 * for before any of them starts, then their outcomes; when the host fails to take it, the run fails before anything
 * else happens. From any of them a run goes on as if there had been no break: limits, usage, steps and steering that
 * waits are continued, only `timeout_seconds` begins anew with each attempt. Calls without an outcome are made again
 * where their tool is `readonly` or `idempotent`; of all others the model is told `unknown_outcome`. architecture:
 * decisions 18 and 22; promises D4, D5, D9, D11, D14.
 *
 * Subagents are kept with the run and go on with it; those that still work when the agent comes to its end are closed,
 * with a warning. What they do is published under their own agent ids. loop: §7.
 */
export function createAgentEngine(options: AgentEngineOptions): Engine {
  const { name = "agent", now = Date.now, createId = () => crypto.randomUUID() } = options;
  const specVersion = specVersionOf(options);
  const sessions = new Set<Session>();

  async function body(run: Run, host: Host, board: Board): Promise<void> {
    const input = board.get(SESSION_INPUT);
    if (input === undefined)
      throw new EngineError("engine.missing_dependency", { engine: name, dependency: "SessionInput" });
    const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
    const agentId = run.attributes["agent.id"] ?? name;
    const marks = { name, agentId, now, createId };
    await runSessionFor({ ...options, ...marks, run, host, board, input, environment, sessions });
  }

  return defineEngine(body, {
    name,
    now,
    createId,
    supportsResume: true,
    emitsCheckpoint: true,
    acceptsSteering: true,
    canResume: (checkpoint) => assertAgentCheckpoint(checkpoint, specVersion),
    suggestCheckpoint: () => {
      for (const session of sessions) session.suggestBoundary();
    },
    requiredDependencies: [DEPENDENCY.environment],
  });
}
