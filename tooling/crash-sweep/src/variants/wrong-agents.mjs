// @ts-check
// Agents and environments with one fault each, in what a run has beside the steps of one agent.
import { pid } from "node:process";
import { delegate } from "../worker/traced-store.mjs";

/** @import { Checkpoint, Engine, ExecutionEnvironment, Host, RegisteredTool } from "@switchyard/contracts" */

/** What the variables of subagents on a board begin with. */
const [CHILD, STATE, TURNS] = ["__subagent", "__subagent.", "__subagent_turns."];

/**
 * An engine that goes on from something else than the checkpoint it is given.
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
 * A call of this tool is another one in each process: what it did before is not found.
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
 * Each process asks its questions under ids of its own.
 * @param {Host} inner
 * @returns {Host}
 */
export function asksUnderFreshIds(inner) {
  return delegate(inner, {
    askUser: (prompt, options) => inner.askUser({ ...prompt, id: `${prompt.id}-${pid}` }, options),
  });
}

/**
 * Forgets that there were subagents.
 * @param {Checkpoint} checkpoint
 * @returns {Checkpoint}
 */
export function forgetsChildren(checkpoint) {
  return withVars(checkpoint, (vars) => vars.filter(([name]) => !name.startsWith(CHILD)));
}

/**
 * Forgets the calls that subagents were about to make, so that they ask for them again and make them.
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
 * Ends nothing of what an earlier attempt left running.
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
