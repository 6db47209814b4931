// @ts-check
import { createRandom } from "./random.mjs";
import { Station } from "./station.mjs";
import { Timeline } from "./timeline.mjs";

/** @import { Random } from "./random.mjs" */

/**
 * A cluster and its load. Times are in seconds.
 * @typedef {object} ClusterPlan
 * @property {number} servers number of servers, each with one core
 * @property {number} workers number of workers, each with one core for its process and one for commands
 * @property {number} slots number of concurrent runs of a worker
 * @property {number} brokerCores number of cores of the NATS server that stores the runs
 * @property {number} arrivalsPerS number of runs that clients create per second
 * @property {number} initialRuns number of runs that are being executed when the simulation begins
 * @property {number} roundsPerRun mean number of rounds: a model call and its tool calls
 * @property {number} modelS mean time of a model call
 * @property {number} modelVariation standard deviation of that time divided by its mean
 * @property {number} toolS mean time of the tool calls of a round
 * @property {number} modelFailures share of model calls that fail and are repeated
 * @property {number} modelRetryS mean wait before a failed model call is repeated
 * @property {number} workerLifeS mean time until a worker dies
 * @property {number} leaseS time after which the runs of a dead worker are queued again
 * @property {number} restartS time until a dead worker is replaced
 */

/**
 * Processor time, in seconds.
 * @typedef {object} ClusterCosts
 * @property {number} acceptS of a server, for each run that it accepts
 * @property {number} viewS of each other server, for each run
 * @property {number} workerRunS of a worker, for each run
 * @property {number} diffS of the git commands of a worker, for each run
 * @property {number} workerRoundS of a worker, for each round
 * @property {number} brokerRunS of the broker, for each run
 * @property {number} brokerRoundS of the broker, for each round
 */

/** @typedef {{ rounds: number, queuedS: number, worker: number, life: number }} Run */

/** A simulated cluster. */
export class SimulatedCluster {
  timeline = new Timeline();
  /** Number of runs that clients created, of those that ended, and of those that are queued or executed now. */
  created = 0;
  ended = 0;
  active = 0;
  /** Number of runs that lost their worker. */
  lost = 0;
  /** Waits from the creation of a run, or the loss of its worker, to its start, in seconds. @type {number[]} */
  startWaits = [];
  /** Times from the end of a round's tools to the next model call, in seconds. @type {number[]} */
  roundDelays = [];
  /** @type {readonly Station[]} */
  servers;
  /** @type {Station} */
  broker;
  /** @type {readonly Station[]} */
  workers;
  /** @type {readonly Station[]} */
  commands;
  #plan;
  #costs;
  /** @type {Random} */
  #random;
  /** @type {Run[]} */
  #queue = [];
  #queueHead = 0;
  /** Workers with a free slot, once for each slot. @type {number[]} */
  #free = [];
  /** Number of deaths of each worker. @type {number[]} */
  #lives;
  /** @type {Set<Run>[]} */
  #held;

  /** @param {ClusterPlan} plan @param {ClusterCosts} costs @param {number} seed */
  constructor(plan, costs, seed) {
    this.#plan = plan;
    this.#costs = costs;
    this.#random = createRandom(seed);
    const stations = (/** @type {number} */ count) =>
      Array.from({ length: count }, () => new Station(this.timeline, 1));
    this.servers = stations(plan.servers);
    this.workers = stations(plan.workers);
    this.commands = stations(plan.workers);
    this.broker = new Station(this.timeline, plan.brokerCores);
    this.#lives = Array.from({ length: plan.workers }, () => 0);
    this.#held = Array.from({ length: plan.workers }, () => new Set());
    for (let worker = 0; worker < plan.workers; worker += 1) this.#addSlots(worker);
    for (let run = 0; run < plan.initialRuns; run += 1) this.#enqueueFirst();
    this.#begin(true);
    this.#planArrival();
    for (let worker = 0; worker < plan.workers; worker += 1) this.#planDeath(worker);
  }

  /** Number of runs that wait for a slot. */
  get queued() {
    return this.#queue.length - this.#queueHead;
  }

  /** Kills a worker: its runs continue elsewhere after their leases have ended. @param {number} worker */
  kill(worker) {
    const { leaseS, restartS } = this.#plan;
    this.#lives[worker] = (this.#lives[worker] ?? 0) + 1;
    this.#free = this.#free.filter((one) => one !== worker);
    const runs = [...(this.#held[worker] ?? [])];
    this.#held[worker]?.clear();
    this.lost += runs.length;
    const lostS = this.timeline.nowS;
    this.timeline.after(leaseS, () => {
      for (const run of runs) this.#enqueue({ ...run, queuedS: lostS });
      this.#begin(false);
    });
    this.timeline.after(restartS, () => {
      this.#addSlots(worker);
      this.#begin(false);
    });
  }

  #planArrival() {
    const { arrivalsPerS } = this.#plan;
    if (arrivalsPerS <= 0) return;
    this.timeline.after(this.#random.exponential(1 / arrivalsPerS), () => {
      this.#accept();
      this.#planArrival();
    });
  }

  /** @param {number} worker */
  #planDeath(worker) {
    const { workerLifeS } = this.#plan;
    if (!Number.isFinite(workerLifeS)) return;
    this.timeline.after(this.#random.exponential(workerLifeS), () => {
      this.kill(worker);
      this.#planDeath(worker);
    });
  }

  /** A client creates a run: one server accepts it, and the broker stores it. */
  #accept() {
    const { acceptS, viewS, brokerRunS } = this.#costs;
    const run = this.#createRun();
    const accepting = Math.floor(this.#random.uniform() * this.servers.length);
    for (const [index, server] of this.servers.entries()) {
      if (index !== accepting) server.request(this.#random.exponential(viewS));
    }
    this.servers[accepting]?.request(this.#random.exponential(acceptS), () => {
      this.broker.request(this.#random.exponential(brokerRunS / 2), () => {
        this.#enqueue(run);
        this.#begin(false);
      });
    });
  }

  /** @returns {Run} */
  #createRun() {
    this.created += 1;
    this.active += 1;
    const rounds = this.#random.geometric(this.#plan.roundsPerRun);
    return { rounds, queuedS: this.timeline.nowS, worker: -1, life: 0 };
  }

  #enqueueFirst() {
    this.#enqueue(this.#createRun());
  }

  /** @param {Run} run */
  #enqueue(run) {
    this.#queue.push(run);
    if (this.#queueHead <= 10_000) return;
    this.#queue = this.#queue.slice(this.#queueHead);
    this.#queueHead = 0;
  }

  /** @param {number} worker */
  #addSlots(worker) {
    for (let slot = 0; slot < this.#plan.slots; slot += 1) this.#free.push(worker);
  }

  /** Gives queued runs to free slots of random workers. @param {boolean} isRunning whether they are within a round */
  #begin(isRunning) {
    while (this.queued > 0 && this.#free.length > 0) {
      const place = Math.floor(this.#random.uniform() * this.#free.length);
      const worker = this.#free[place] ?? 0;
      this.#free[place] = this.#free.at(-1) ?? 0;
      this.#free.pop();
      const run = this.#queue[this.#queueHead];
      this.#queueHead += 1;
      if (run !== undefined) this.#start(run, worker, isRunning);
    }
  }

  /** @param {Run} run @param {number} worker @param {boolean} isRunning */
  #start(run, worker, isRunning) {
    run.worker = worker;
    run.life = this.#lives[worker] ?? 0;
    this.#held[worker]?.add(run);
    if (isRunning) {
      this.#callModel(run, this.#random.uniform());
      return;
    }
    this.startWaits.push(this.timeline.nowS - run.queuedS);
    const { workerRunS, diffS } = this.#costs;
    this.#work(run, workerRunS / 2, () => this.#command(run, diffS / 2, () => this.#callModel(run, 1)));
  }

  /** Calls `next` unless the worker of the run has died. @param {Run} run @param {() => void} next */
  #alive(run, next) {
    return () => {
      if (this.#lives[run.worker] === run.life) next();
    };
  }

  /** @param {Run} run @param {number} meanS @param {() => void} next */
  #work(run, meanS, next) {
    this.workers[run.worker]?.request(this.#random.exponential(meanS), this.#alive(run, next));
  }

  /** @param {Run} run @param {number} meanS @param {() => void} next */
  #command(run, meanS, next) {
    this.commands[run.worker]?.request(this.#random.exponential(meanS), this.#alive(run, next));
  }

  /** @param {Run} run @param {number} share share of the model call that is still to come */
  #callModel(run, share) {
    const { modelS, modelVariation, modelFailures, modelRetryS, toolS } = this.#plan;
    const isFailed = this.#random.uniform() < modelFailures;
    const callS = share * this.#random.logNormal(modelS, modelVariation);
    if (isFailed) {
      const retryS = callS + this.#random.exponential(modelRetryS);
      this.timeline.after(
        retryS,
        this.#alive(run, () => this.#callModel(run, 1)),
      );
      return;
    }
    this.timeline.after(
      callS + this.#random.exponential(toolS),
      this.#alive(run, () => this.#endRound(run)),
    );
  }

  /** @param {Run} run */
  #endRound(run) {
    const beganS = this.timeline.nowS;
    const { workerRoundS, brokerRoundS } = this.#costs;
    this.#work(run, workerRoundS, () => {
      const stored = this.#alive(run, () => {
        this.roundDelays.push(this.timeline.nowS - beganS);
        run.rounds -= 1;
        if (run.rounds > 0) this.#callModel(run, 1);
        else this.#end(run);
      });
      this.broker.request(this.#random.exponential(brokerRoundS), stored);
    });
  }

  /** @param {Run} run */
  #end(run) {
    const { workerRunS, diffS, brokerRunS } = this.#costs;
    const release = this.#alive(run, () => {
      this.#held[run.worker]?.delete(run);
      this.#free.push(run.worker);
      this.ended += 1;
      this.active -= 1;
      this.#begin(false);
    });
    this.#command(run, diffS / 2, () =>
      this.#work(run, workerRunS / 2, () => this.broker.request(this.#random.exponential(brokerRunS / 2), release)),
    );
  }
}
