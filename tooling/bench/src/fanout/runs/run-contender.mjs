// @ts-check

/** Interval between two samples of a profile of a member, in microseconds. */
export const SAMPLING_US = 1_000;

/**
 * Settings of a member of a contender: of its HTTP server, or of its worker.
 * @typedef {object} MemberOptions
 * @property {string} address address of the broker
 * @property {string | undefined} monitorUrl address at which the broker reports its settings
 * @property {string} folder folder for files of this member
 * @property {number} concurrency number of concurrent runs of the worker
 * @property {number} [rounds] number of rounds of each run of ours, each with the events and checkpoints of a round of the
 * agent; none by default
 * @property {number} [holdMs] time for which each run of ours waits, in milliseconds; none by default
 */

/**
 * A way to execute what clients request over HTTP: a server accepts and queues it, and a worker executes it.
 * @typedef {object} RunContender
 * @property {(options: MemberOptions) => Promise<{ url: string, close: () => Promise<void> }>} openServer
 * @property {(options: MemberOptions, onDone: () => void) => Promise<{ close: () => Promise<void> }>} openWorker
 */

/** @typedef {"ours" | "ours-without-diff" | "bullmq"} ContenderName */

/** @type {Readonly<Record<ContenderName, () => Promise<RunContender>>>} */
export const RUN_CONTENDERS = {
  ours: async () => (await import("./our-runs.mjs")).ourRuns({ workspaceDiff: true }),
  "ours-without-diff": async () => (await import("./our-runs.mjs")).ourRuns({ workspaceDiff: false }),
  bullmq: async () => (await import("./bullmq-jobs.mjs")).bullmqJobs,
};

/** Broker of each contender. @type {Readonly<Record<ContenderName, "ours" | "bullmq">>} */
export const BROKERS = { ours: "ours", "ours-without-diff": "ours", bullmq: "bullmq" };
