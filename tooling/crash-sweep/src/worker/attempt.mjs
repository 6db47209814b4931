// @ts-check

/** @import { Strike } from "./crash-points.mjs" */

/** A NATS server, and the name of a store on it. @typedef {{ url: string, name: string }} BrokerPlace */

/**
 * Work of one process: one attempt of one run, passed as a JSON file.
 * @typedef {object} Attempt
 * @property {string} runId Id of the run.
 * @property {boolean} resumes Whether the run is there already.
 * @property {boolean} [takesOver] Whether it is taken from a process that is still at work.
 * @property {string} stateDirectory The state folder.
 * @property {string} workspace The workspace.
 * @property {string} oracle File for what the process notes.
 * @property {string} ledger File for effects.
 * @property {BrokerPlace | undefined} [broker] Where runs are stored, for a variant that stores them on a broker.
 * @property {string} variant What is run, by its name in `variants/`.
 * @property {Strike} [strike] What is to happen to it.
 * @property {string} [barrier] The process waits, ready, until this file is there.
 * @property {number} [powerSeed] Decides what a loss of power leaves of what was not flushed; nothing when unset.
 * @property {number} [leaseMs] How long a silent writer keeps its lease.
 * @property {string} [labels] File for the boundaries it came past.
 */

/** Exit codes of a worker. */
export const EXIT = {
  /** The run succeeded. */
  done: 0,
  /** The run ended otherwise. */
  failed: 4,
  /** The store or the runner rejected the worker. */
  lockedOut: 3,
};
