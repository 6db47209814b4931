// @ts-check

/** @import { Strike } from "./crash-points.mjs" */

/** A NATS server, and the name of a store on it. @typedef {{ url: string, name: string }} BrokerPlace */

/**
 * Work of one process: one attempt of one run, passed as a JSON file.
 * @typedef {object} Attempt
 * @property {string} runId Id of the run.
 * @property {boolean} resumes True if the run already exists.
 * @property {boolean} [takesOver] True if the run is taken over from a live process.
 * @property {string} stateDirectory The state folder.
 * @property {string} workspace The workspace.
 * @property {string} oracle File for the process's records.
 * @property {string} ledger File for effects.
 * @property {BrokerPlace | undefined} [broker] Where runs are stored, for a variant that stores them on a broker.
 * @property {string} variant Name of the variant in `variants/`.
 * @property {Strike} [strike] The fault that is injected.
 * @property {string} [barrier] The process waits before its work until this file exists.
 * @property {number} [powerSeed] Seed for the unflushed data that survives a power failure. `undefined`: none survives.
 * @property {number} [leaseMs] Lease time of a writer without heartbeats.
 * @property {string} [labels] File for the boundaries that it passed.
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
