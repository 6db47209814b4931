import { addUsage, type ModelUse, NO_USAGE, type Usage } from "@switchyard/contracts";

/** Usage of a run's earlier attempts. */
export interface EarlierUsage {
  /** Total tokens and cost of the model calls of the earlier attempts. */
  readonly usage: Usage;
  /** Number of model calls of the earlier attempts. */
  readonly modelCalls: number;
  /** Usage by response id. Contains only responses that have an id. */
  readonly answers: ReadonlyMap<string, Usage>;
}

/** Adds up the tokens and cost of one run. */
export interface UsageMeter {
  /**
   * Adds the usage of a model call that the engine reported. Returns whether the call was counted. A call whose
   * response id was already counted is not counted again. See engine: UsageReporter; durability promise D14.
   */
  add(usage: Usage): boolean;
  /**
   * Adds the usage of a model call from an event. A repeated response id is not counted. See durability promise D14.
   */
  addEvent(usage: Usage, responseId: string | undefined): void;
  /**
   * Returns the usage of all attempts. For the current attempt, counts the usage that the engine reported to the host,
   * or the usage in events if the engine reported none.
   */
  total(): Usage;
  /** Returns the number of model calls that `total` counts. */
  modelCalls(): number;
  /** Returns the usage by model, in the order of the first call. */
  models(): readonly ModelUse[];
  /** Returns the usage of a model response. `undefined` if the response was not counted. */
  answer(responseId: string): Usage | undefined;
  /** Returns the usage so far. The meter of the next attempt starts from it. */
  used(): EarlierUsage;
}

/** Creates a meter that starts from the usage of earlier attempts. */
export function createUsageMeter(earlier?: EarlierUsage): UsageMeter {
  const before = earlier?.usage ?? NO_USAGE;
  const reports = createCount(earlier?.answers);
  const events = createCount(earlier?.answers);
  const counted = (): Count => (reports.calls > 0 ? reports : events);
  const total = (): Usage => addUsage(before, counted().sum);
  const modelCalls = (): number => (earlier?.modelCalls ?? 0) + counted().calls;
  return {
    add: (usage) => reports.add(toUsage(usage), usage.responseId),
    addEvent: (usage, responseId) => {
      events.add(toUsage(usage), responseId);
    },
    total,
    modelCalls,
    models: () => [...counted().models.values()],
    answer: (responseId) => reports.answers.get(responseId) ?? events.answers.get(responseId),
    used: () => ({
      usage: total(),
      modelCalls: modelCalls(),
      answers: new Map([...events.answers, ...reports.answers]),
    }),
  };
}

/** Sum of usage, with each model call counted once. */
interface Count {
  readonly sum: Usage;
  readonly calls: number;
  readonly answers: ReadonlyMap<string, Usage>;
  readonly models: ReadonlyMap<string, ModelUse>;
  add(usage: Usage, responseId: unknown): boolean;
}

/** Adds usage to the sum of the model that is named in the usage. Ignores usage without a model. */
function addToModel(models: Map<string, ModelUse>, usage: Usage): void {
  const { model, latencyMs, responseId, ...tokens } = usage;
  if (model === undefined) return;
  const { calls, usage: sum } = models.get(model) ?? { calls: 0, usage: NO_USAGE };
  models.set(model, { model, calls: calls + 1, usage: addUsage(sum, tokens) });
}

function createCount(known: Iterable<readonly [string, Usage]> = []): Count {
  const answers = new Map(known);
  const models = new Map<string, ModelUse>();
  for (const usage of answers.values()) addToModel(models, usage);
  let sum: Usage = { ...NO_USAGE };
  let calls = 0;
  return {
    answers,
    models,
    get sum() {
      return sum;
    },
    get calls() {
      return calls;
    },
    add: (usage, responseId) => {
      if (typeof responseId === "string" && answers.has(responseId)) return false;
      if (typeof responseId === "string") answers.set(responseId, usage);
      addToModel(models, usage);
      sum = addUsage(sum, usage);
      calls++;
      return true;
    },
  };
}

/** Sanitizes usage from untrusted engines: ignores values that are not finite, non-negative numbers. */
export function toUsage(usage: Usage): Usage {
  const inputTokens = toCount(usage.inputTokens) ?? 0;
  const outputTokens = toCount(usage.outputTokens) ?? 0;
  const clean: Usage = {
    inputTokens,
    outputTokens,
    totalTokens: toCount(usage.totalTokens) ?? inputTokens + outputTokens,
  };
  for (const field of COUNTS) {
    const count = toCount(usage[field]);
    if (count !== undefined) clean[field] = count;
  }
  for (const field of AMOUNTS) {
    const amount = toAmount(usage[field]);
    if (amount !== undefined) clean[field] = amount;
  }
  if (usage.isCostPartial === true) clean.isCostPartial = true;
  if (typeof usage.model === "string") clean.model = usage.model;
  return clean;
}

const COUNTS = ["reasoningTokens", "cacheReadTokens", "cacheWriteTokens"] as const;
const AMOUNTS = ["costMicros", "latencyMs"] as const;

function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function toCount(value: unknown): number | undefined {
  const amount = toAmount(value);
  return amount === undefined ? undefined : Math.round(amount);
}
