// @ts-check
// Agents and environments with one fault each, in features that the agent of the steps scenario does not use.
import { pid } from "node:process";
import { delegate } from "../worker/traced-store.mjs";

/** @import { Checkpoint, Engine, ExecutionEnvironment, Host, RegisteredTool } from "@switchyard/contracts" */

/** Name prefixes of subagent variables on a board. */
const [CHILD, STATE, TURNS] = ["__subagent", "__subagent.", "__subagent_turns."];

/**
 * Wraps an engine so that it resumes from a modified checkpoint.
 * @param {Engine} engine
 * @param {(checkpoint: Checkpoint) => Checkpoint} tamper
 * @returns {Engine}
 */
export function withTamperedCheckpoints(engine, tamper) {
  return delegate(engine, {
    execute: (run, host, board) => {
      if (run.resumeFrom === undefined) return engine.execute(run, host, board);
      const resumeFrom = tamper(run.resumeFrom);
      for (const name of Object.keys(board.vars())) {
        const value = resumeFrom.board.vars[name];
        if (value === undefined) board.deleteVar(name);
        else if (name.startsWith(CHILD)) board.setVar(name, value);
      }
      return engine.execute({ ...run, resumeFrom }, host, board);
    },
  });
}

/**
 * Wraps a tool so that its calls have different ids in each process, and earlier executions are not found.
 * @param {RegisteredTool} tool
 * @returns {RegisteredTool}
 */
export function withFreshIds(tool) {
  return {
    ...tool,
    execute: (args, environment, context) => {
      return tool.execute(args, environment, { ...context, callId: `${context.callId}-${pid}` });
    },
  };
}

/**
 * Wraps a host so that each process asks questions under new ids.
 * @param {Host} inner
 * @returns {Host}
 */
export function asksUnderFreshIds(inner) {
  return delegate(inner, {
    askUser: (prompt, options) => inner.askUser({ ...prompt, id: `${prompt.id}-${pid}` }, options),
  });
}

/**
 * Removes subagents from a checkpoint.
 * @param {Checkpoint} checkpoint
 * @returns {Checkpoint}
 */
export function forgetsChildren(checkpoint) {
  return withVars(checkpoint, (vars) => vars.filter(([name]) => !name.startsWith(CHILD)));
}

/**
 * Removes pending calls of subagents from a checkpoint, so that they are requested and executed again.
 * @param {Checkpoint} checkpoint
 * @returns {Checkpoint}
 */
export function forgetsIntentsOfChildren(checkpoint) {
  const { vars } = checkpoint.board;
  /** @param {string} agent */
  function isAtIntents(agent) {
    return Object(vars[STATE + agent]).kind === "intents";
  }
  return withVars(checkpoint, (all) => {
    return all.map(([name, value]) => {
      if (name.startsWith(TURNS) && Array.isArray(value) && isAtIntents(name.slice(TURNS.length))) {
        return [name, value.slice(0, -1)];
      }
      if (name.startsWith(STATE) && isAtIntents(name.slice(STATE.length))) {
        return [name, { ...Object(value), kind: "suggested" }];
      }
      return [name, value];
    });
  });
}

/**
 * Wraps an environment so that it does not end processes of earlier attempts.
 * @param {ExecutionEnvironment} environment
 * @returns {ExecutionEnvironment}
 */
export function endsNothing(environment) {
  return delegate(environment, { endMarked: async () => 0 });
}

/**
 * @param {Checkpoint} checkpoint
 * @param {(vars: [string, unknown][]) => [string, unknown][]} change
 * @returns {Checkpoint}
 */
function withVars(checkpoint, change) {
  const vars = Object.fromEntries(change(Object.entries(checkpoint.board.vars)));
  return { ...checkpoint, board: { ...checkpoint.board, vars } };
}
