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
 * It sets `SESSION_RESULT`: exit code 0 when the agent came to its end by itself, 1 when a limit stopped it. When the
 * session fails or is stopped, `execute` rejects with the reason, and the result on the board (exit code 1) tells how
 * far it came. The main channel holds the conversation at any time. architecture: the one flow.
 */
export function createAgentEngine(options: AgentEngineOptions): Engine {
  const { name = "agent", now = Date.now, createId = () => crypto.randomUUID() } = options;

  async function body(run: Run, host: Host, board: Board): Promise<void> {
    const input = board.get(SESSION_INPUT);
    if (input === undefined)
      throw new EngineError("engine.missing_dependency", { engine: name, dependency: "SessionInput" });
    const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
    await runSessionFor({ ...options, name, now, createId, run, host, board, input, environment });
  }

  return defineEngine(body, {
    name,
    now,
    createId,
    acceptsSteering: true,
    requiredDependencies: [DEPENDENCY.environment],
  });
}
