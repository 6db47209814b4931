/** Requirements that a worker must meet to execute a run. A requirement that is `undefined` is met by every worker. */
export interface RunNeeds {
  /** Name of the engine. */
  readonly engine?: string | undefined;
  /** Name of the environment, such as `sandbox`. */
  readonly environment?: string | undefined;
  /** Labels that the worker must have, with their values. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Name of the worker that has the run's files. Other workers get the run only if this worker has disappeared. */
  readonly worker?: string | undefined;
}

/** Abilities of a worker. */
export interface WorkerAbilities {
  /** Name of the worker. */
  readonly name: string;
  /** Names of the engines that it can run. */
  readonly engines: readonly string[];
  /** Names of the environments that it can open. */
  readonly environments: readonly string[];
  /** Labels that its operator has chosen. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns whether a worker meets the requirements of a run. `isAlive` tells whether another worker still exists. */
export function canTake(
  worker: WorkerAbilities,
  { engine, environment, labels = {}, worker: holder }: RunNeeds,
  isAlive: (worker: string) => boolean,
): boolean {
  if (engine !== undefined && !worker.engines.includes(engine)) return false;
  if (environment !== undefined && !worker.environments.includes(environment)) return false;
  for (const [name, value] of Object.entries(labels)) if (worker.labels[name] !== value) return false;
  return holder === undefined || holder === worker.name || !isAlive(holder);
}

/** Returns a text that is equal for equal requirements. */
export function keyOfNeeds({ engine, environment, labels = {}, worker }: RunNeeds): string {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([engine ?? null, environment ?? null, worker ?? null, sorted]);
}
