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
 * Creates an engine that runs the agent loop. Each run is one session with one input.
 *
 * The run's parameters are in `SESSION_INPUT` on its board (shared run state). The last user message is the input, the
 * messages before it are the history, and `max_turns` and `timeout_seconds` are limits. The run's dependencies provide
 * the environment and, optionally, control messages and the names of allowed tools. The host receives every session
 * event as an envelope, and the usage of every response. If the host refuses further calls, the run fails with the
 * host's `budget.exceeded`.
 *
 * The result is `SESSION_RESULT` on the board. Its exit code is 0 if the last response ended with `stop`. Otherwise it
 * is 1, with the reason in `stderr`: a limit, or a response that was empty, cut off or withheld. `finish_reason` is
 * that of the last response. If the session fails or is stopped, `execute` rejects with the reason. The result on the
 * board (exit code 1) then contains the progress so far. The main channel always contains the conversation. While a run
 * with subagents is in progress, the channel contains the conversation up to the last checkpoint.
 *
 * Twice per tool round, the engine sends a checkpoint to the host and waits for it. The first one contains the response
 * with its calls, before any of them starts. The second one contains their outcomes. If the host fails to store a
 * checkpoint, the run fails before anything else happens. A run can resume from any checkpoint. Limits, usage, steps
 * and queued steering messages continue; only `timeout_seconds` restarts with each attempt. Calls without an outcome
 * are executed again if their tool is `readonly` or `idempotent`. For all others, the model receives `unknown_outcome`.
 * See architecture: decisions 18 and 22; durability promises D4, D5, D9, D11, D14.
 *
 * Subagents are stored and resumed with the run. Subagents that are still working when the agent ends are closed, with
 * a warning. Their events are published under their agent ids. See loop: §7.
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
