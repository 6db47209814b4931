import { join } from "node:path";
import {
  DEPENDENCY,
  type Engine,
  EngineError,
  isExecutionEnvironment,
  SESSION_INPUT,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import type { EvalCase } from "../suite/eval-suite.ts";
import type { OpenEvalEngine } from "../trial/eval-engine.ts";
import { scriptCommand } from "./script-command.ts";
import type { TaskContainers } from "./task-containers.ts";

/** Name of the engine that runs the reference solution of a task. */
export const ORACLE = "oracle";
/** Name of the engine that does nothing. */
const NOP = "nop";

/** Maximum length of the final message, in characters. */
const MAX_MESSAGE = 4_000;

/**
 * Adds the engines `oracle` (runs the reference solution) and `nop` (does nothing) to an evaluation whose cases are
 * Harbor tasks.
 */
export function withTaskEngines(
  open: OpenEvalEngine,
  cases: readonly EvalCase[],
  containers: TaskContainers,
): OpenEvalEngine {
  if (cases.every(({ task }) => task === undefined)) return open;
  return async (spec, equipment) => {
    if (spec === NOP) return { name: NOP, engine: createNopEngine() };
    return spec === ORACLE ? { name: ORACLE, engine: createOracleEngine(cases, containers) } : open(spec, equipment);
  };
}

function createNopEngine(): Engine {
  return defineEngine(async (_run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
}

/** Creates the engine `oracle`. Before anything runs, rejects tasks whose solution is missing. */
function createOracleEngine(cases: readonly EvalCase[], containers: TaskContainers): Engine {
  const missing = cases.filter(({ task }) => task !== undefined && task.solution === undefined).map(({ id }) => id);
  if (missing.length > 0) {
    const problem = `these tasks have no solution/solve.sh: ${missing.join(", ")}.`;
    throw new EngineError("config.invalid", { field: "engine oracle", problem });
  }
  return defineEngine(async ({ deps, signal }, _host, board) => {
    const environment = getDependency(deps, DEPENDENCY.environment, isExecutionEnvironment);
    const solution = cases.find(({ id }) => id === board.get(SESSION_INPUT)?.case_id)?.task?.solution;
    if (solution === undefined) throw new Error("the task has no solution");
    const command = await scriptCommand(join(solution.folder, "solve.sh"), "/solution/solve.sh");
    const set = { DEBIAN_FRONTEND: "noninteractive", ...containers.resolve(solution.variables) };
    const { exitCode, stdout, stderr } = await environment.exec(command, { signal, env: { set } });
    signal.throwIfAborted();
    const output = [stdout, stderr].filter((text) => text.trim() !== "").join("\n");
    const message = `solution/solve.sh ended with exit code ${exitCode}.\n\n${output.slice(-MAX_MESSAGE)}`;
    // The exit code is always 0, because the tests decide the outcome, not the exit code of the solution.
    board.set(SESSION_RESULT, { exit_code: 0, final_message: message.trimEnd() });
  });
}
