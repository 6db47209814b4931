// @ts-check
import { ASSUMED, PRICES, RUN_LEASE_S, TARGET_RUNS } from "../scenarios.mjs";

/** @import { Measurements, Outcome } from "../scenarios.mjs" */

/**
 * What the simulations have shown.
 * @typedef {object} Findings
 * @property {Measurements} measurements
 * @property {readonly Outcome[]} loads
 * @property {readonly (Outcome & { brokerCores: number })[]} brokers
 * @property {readonly { share: number, lost: number, p50S: number, maxS: number }[]} losses
 * @property {Readonly<Record<"broker" | "slots" | "workers" | "commands" | "servers", number>>} limits
 * @property {Readonly<Record<"arrivals" | "brokerCores" | "serverCores" | "workerCores" | "workerGiB", number>>} resources
 */

const PERCENT = 100;
const MS = 1_000;
const HOUR_S = 3_600;
const DIGITS = 3;

/** @param {number} value */
function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** @param {number} value @returns {string} */
function rough(value) {
  return value >= PERCENT ? whole(Number(value.toPrecision(2))) : String(Number(value.toPrecision(DIGITS - 1)));
}

/** @param {number} share */
function percent(share) {
  return `${rough(share * PERCENT)} %`;
}

/** @param {number} seconds */
function time(seconds) {
  return seconds < 1 ? `${rough(seconds * MS)} ms` : `${rough(seconds)} s`;
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * Returns the parts of the cluster, and the number of concurrent runs at which each of them works all the time.
 * @param {Findings["limits"]} limits
 */
function partsOf({ broker, slots, workers, commands, servers }) {
  const parts = [
    { name: "broker", runs: broker },
    { name: "slots of the workers", runs: slots },
    { name: "processes of the workers", runs: workers },
    { name: "git commands of the workers", runs: commands },
    { name: "servers", runs: servers },
  ];
  return parts.sort((left, right) => left.runs - right.runs);
}

/** @param {Findings} findings */
function renderFindings({ limits, resources, losses, loads }) {
  const [first, second] = partsOf(limits);
  const [small, , large] = losses;
  const overload = (loads.at(-1)?.runs ?? 0) / limits.broker - 1;
  const perHour = (resources.brokerCores + resources.serverCores + resources.workerCores) * PRICES.coreHour;
  const dollars = perHour + resources.workerGiB * PRICES.gibHour;
  const calls = resources.arrivals * ASSUMED.roundsPerRun * HOUR_S;
  return `- **What saturates first.** The first part that works all the time is the ${first?.name ?? ""}, at ${rough(first?.runs ?? 0)} concurrent
  runs. The next are the ${second?.name ?? ""}, at ${rough(second?.runs ?? 0)} concurrent runs.

- **What fails first.** If the broker is overloaded, each round (a model call and its tool calls) is stored later than the round
  before. With ${whole(loads.at(-1)?.runs ?? 0)} concurrent runs, this delay grows by ${rough(overload * MS)} ms per second. After about ${rough(RUN_LEASE_S / overload)} s it reaches ${RUN_LEASE_S} s,
  the duration of a lease. Heartbeats use the same broker, so from then on workers lose the leases of their runs. The simulation does
  not include the loss of leases.

- **What ${whole(TARGET_RUNS)} concurrent runs need.** They need ${rough(resources.brokerCores)} cores of the broker, ${rough(resources.serverCores)} cores of servers,
  ${rough(resources.workerCores)} cores of workers, and ${rough(resources.workerGiB)} GiB of memory of workers. About ${rough(resources.arrivals)} runs begin and end per second.
  These numbers include neither the memory for the conversations of agents nor the cores for their tools, such as
  builds and tests.

- **What they cost.** These cores and this memory cost about $${dollars.toFixed(2)} per hour. In the same hour, the runs make ${rough(calls / 1e6)} million model
  calls, for about $${whole(Number((calls * PRICES.modelCall).toPrecision(2)))}.

- **What a lost worker costs.** If ${percent(small?.share ?? 0)} of the workers die at the same time, ${whole(small?.lost ?? 0)} runs wait ${time(small?.p50S ?? 0)}, until they are
  queued again. If ${percent(large?.share ?? 0)} die, the other workers do not have enough free slots, and some runs wait up to ${time(large?.maxS ?? 0)}, until
  workers have been replaced.`;
}

/** @param {Findings["loads"]} loads */
function renderLoads(loads) {
  return `![Use of the processors by the number of concurrent runs: the line of the broker rises fastest.](../images/scale-use.svg)

![Time to store a round by the number of concurrent runs, as median and 99th percentile.](../images/scale-delay.svg)

${table(
  [
    "Concurrent runs",
    "Broker",
    "Server",
    "Worker process",
    "Git",
    "Start of a run, p99",
    "Storing a round, p50",
    "p99",
    "Waiting for a slot",
  ],
  loads.map((load) => [
    whole(load.runs),
    ...[load.brokerUse, load.serverUse, load.workerUse, load.commandUse].map(percent),
    ...[load.startP99S, load.roundP50S, load.roundP99S].map(time),
    whole(load.queued),
  ]),
)}

The number of concurrent runs is the number that clients want. The cluster has ${whole(ASSUMED.workers * ASSUMED.slots)} slots, so runs above
this number wait. The columns "Broker" to "Git" show the share of the time in which the processors work.`;
}

/** @param {Findings["limits"]} limits */
function renderLimits(limits) {
  return table(
    ["Part", "Concurrent runs at which it works all the time"],
    partsOf(limits).map(({ name, runs }) => [name, rough(runs)]),
  );
}

/** @param {Findings["brokers"]} brokers */
function renderBrokers(brokers) {
  return `### Cores of the broker

With ${whole(TARGET_RUNS)} concurrent runs:

${table(
  ["Cores", "Busy", "Storing a round, p50", "p99"],
  brokers.map(({ brokerCores, brokerUse, roundP50S, roundP99S }) => [
    String(brokerCores),
    percent(brokerUse),
    time(roundP50S),
    time(roundP99S),
  ]),
)}

Each simulation covers one minute; the table shows the values at the end of this minute. If all cores of the broker are busy, the time to
store a round would continue to grow.`;
}

/** @param {Findings["losses"]} losses */
function renderLosses(losses) {
  return `### Loss of workers

The table shows what happens if a share of the workers dies at the same time, with ${whole(TARGET_RUNS)} concurrent runs:

${table(
  ["Share", "Interrupted runs", "Median wait until they continue", "Longest wait"],
  losses.map(({ share, lost, p50S, maxS }) => [percent(share), whole(lost), time(p50S), time(maxS)]),
)}`;
}

/** @param {Measurements} measurements */
function renderCosts({ date, machine, command, values }) {
  return `## Costs of one machine

The costs were measured with \`${command}\` on ${date} (${machine}):

${table(
  ["Cost", "Value"],
  Object.values(values).map(({ value, unit, what }) => [what, `${whole(value)} ${unit}`]),
)}`;
}

/** @returns {string} */
function renderAssumptions() {
  return `## Assumptions

${table(
  ["Quantity", "Value"],
  [
    ["servers; each uses one core", String(ASSUMED.servers)],
    ["workers; each uses one core for its process and one for git", String(ASSUMED.workers)],
    ["slots of a worker (`--concurrency`)", String(ASSUMED.slots)],
    ["cores of the broker", String(ASSUMED.brokerCores)],
    ["rounds of a run, geometric distribution, mean", String(ASSUMED.roundsPerRun)],
    ["time of a model call, log-normal distribution, mean and standard deviation", `${ASSUMED.modelS} s`],
    ["time of the tools of a round, exponential distribution, mean", `${ASSUMED.toolS} s`],
    ["model calls that fail and are repeated", percent(ASSUMED.modelFailures)],
    ["wait before a repetition, exponential distribution, mean", `${ASSUMED.modelRetryS} s`],
    ["time until a worker dies, exponential distribution, mean", `${ASSUMED.workerLifeS / 3_600} h`],
    ["time until the runs of a dead worker are queued again", `${ASSUMED.leaseS} s`],
    ["price of a core per hour", `$${PRICES.coreHour}`],
    ["price of a GiB of memory per hour", `$${PRICES.gibHour}`],
    ["price of a model call", `$${PRICES.modelCall}`],
    ["time until a dead worker is replaced", `${ASSUMED.restartS} s`],
  ],
)}`;
}

const LEFT_OUT = `## What the simulation leaves out

- The simulated broker is a single queue that several cores serve. A real broker may be limited earlier by the single stream that stores all runs, by its disk
  if it flushes each message, or by the network between replicas.

- Workspaces are empty and stay empty, so workers do not start git. For a workspace with files, a worker and git need about 80 ms of CPU
  time more per run. Contents of files that have changed are stored with the next checkpoint.

- In the simulation, no client watches the events of a run. Sending an event to a client costs a server additional time.

- All owners start runs equally often, so the simulation has no fair sharing between owners. Runs start in the order in which they were
  created.

- The simulation draws the processor time of each step from an exponential distribution. The mean of the distribution is the measured
  time.

- The measured costs include the time in which other programs disturbed the measurement. Compare the parts with each other, and do not
  read the times as promises.

The simulation is tested for conservation (each created run has ended or is active), for Little's law, and against Erlang's formula for
M/M/c queues. To simulate another cluster, change the assumptions in \`tooling/scale-model/src/scenarios.mjs\`, and run
\`pnpm --filter @switchyard/scale-model run docs:update\`.`;

/**
 * Returns the page docs/reference/scale.md.
 * @param {Findings} findings
 * @returns {string}
 */
export function renderPage(findings) {
  const { measurements, loads, brokers, losses, limits } = findings;
  return `# Estimated cluster capacity

<!-- Generated by tooling/scale-model from measurements.json and its simulations: \`pnpm docs:update\`. -->

This page estimates how a cluster behaves with ${whole(TARGET_RUNS)} concurrent runs. The numbers come from a simulation, because a cluster of
this size has not been measured. The simulation uses costs that were measured on one machine, and assumptions about runs. The guide
[Scale out](../guides/scale-out.md) explains servers, workers and the broker (the NATS server).

## Results

${renderFindings(findings)}

${renderLoads(loads)}

${renderLimits(limits)}

${renderBrokers(brokers)}

${renderLosses(losses)}

${renderCosts(measurements)}

${renderAssumptions()}

${LEFT_OUT}
`;
}
