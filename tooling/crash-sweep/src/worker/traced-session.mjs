// @ts-check
import { digestOfCheckpoint } from "../history/checkpoint-digest.mjs";
import { COUNT_TOOL } from "../scenario/scripted-call.mjs";
import { leftProcesses } from "./left-processes.mjs";
import { readLedger } from "./oracle.mjs";
import { delegate } from "./traced-store.mjs";

/** @import { Engine, ExecutionEnvironment, HostMiddleware, RegisteredTool } from "@switchyard/contracts" */
/** @import { CrashPoints } from "./crash-points.mjs" */
/** @import { Oracle } from "./oracle.mjs" */

/**
 * Wraps an environment with a boundary before and after each operation with an effect.
 * @param {ExecutionEnvironment} environment
 * @param {CrashPoints} points
 * @returns {ExecutionEnvironment}
 */
export function crashingEnvironment(environment, points) {
  const { spawnShell } = environment;
  return delegate(environment, {
    writeFile: (path, content) => points.around(`write ${path}`, () => environment.writeFile(path, content)),
    remove: (path) => points.around(`remove ${path}`, () => environment.remove(path)),
    rename: (from, to) => points.around(`rename ${from}`, () => environment.rename(from, to)),
    shell: (command, options) => {
      return points.around(`shell ${command.slice(0, 16)}`, () => environment.shell(command, options));
    },
    ...(spawnShell === undefined
      ? {}
      : {
          spawnShell: (command, options) => {
            return points.around(`spawn ${command.slice(0, 10)}`, () => spawnShell.call(environment, command, options));
          },
        }),
  });
}

/**
 * Wraps a host with a boundary before and after each checkpoint.
 * @param {CrashPoints} points
 * @returns {HostMiddleware}
 */
export function crashingHost(points) {
  return (inner) => {
    return delegate(inner, {
      checkpoint: (checkpoint) => points.around("checkpoint", () => inner.checkpoint(checkpoint)),
    });
  };
}

/**
 * Wraps an engine and records the checkpoint that it resumes from, and processes left by an earlier attempt.
 * @param {Engine} engine
 * @param {Oracle} oracle
 * @param {string} ledger
 * @returns {Engine}
 */
export function tracedEngine(engine, oracle, ledger) {
  return delegate(engine, {
    execute: (run, host, board) => {
      const { resume, resumeFrom } = run;
      const digest = resumeFrom === undefined ? null : digestOfCheckpoint(resumeFrom);
      if (resume !== undefined) {
        const left = leftProcesses(ledger).map(({ command }) => command);
        oracle.note({ at: "resumed", attempt: resume.attempt, digest, left });
      }
      return engine.execute(run, host, board);
    },
  });
}

/**
 * Creates the read-only tool with which the model determines what happened.
 * @param {string} ledger
 * @returns {RegisteredTool}
 */
export function countTool(ledger) {
  return {
    definition: {
      name: COUNT_TOOL,
      description: "Counts how often an operation took effect.",
      parameters: { type: "object", properties: { operation: { type: "string" } }, required: ["operation"] },
    },
    effects: "readonly",
    execute: ({ operation: asked }) => {
      return `${readLedger(ledger).filter(({ operation }) => operation === asked).length} times`;
    },
  };
}
