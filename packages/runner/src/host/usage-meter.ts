import { addUsage, type ModelUse, NO_USAGE, type Usage } from "@switchyard/contracts";

/** What the earlier attempts of a run have used. */
export interface EarlierUsage {
  /** Tokens and cost of all their model calls together. */
  readonly usage: Usage;
  /** Number of their model calls. */
  readonly modelCalls: number;
  /** The answers among them that have an id, by it. */
  readonly answers: ReadonlyMap<string, Usage>;
}

/** Adds up the tokens and the cost of one run. */
export interface UsageMeter {
  /**
   * Takes what the engine reports of one model call; says whether it counts, which an answer that was counted
   * already does not. engine: UsageReporter; D14.
   */
  add(usage: Usage): boolean;
  /** Takes what an event says about one model call; an answer that was seen already is not counted again. D14. */
  addEvent(usage: Usage, responseId: string | undefined): void;
  /** The sum of what was reported, of what the events said where nothing was, and of earlier attempts. */
  total(): Usage;
  /** How many model calls that are. */
  modelCalls(): number;
  /** Usage by model, in the order of the models' first answers. */
  models(): readonly ModelUse[];
  /** What an answer has cost, by its id; nothing when it was not counted. */
  answer(responseId: string): Usage | undefined;
  /** What has been used until now, for the next attempt. */
  used(): EarlierUsage;
}

/** Makes a meter that goes on from what earlier attempts have used. */
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

/** A sum over model calls, each of them once. */
interface Count {
  readonly sum: Usage;
  readonly calls: number;
  readonly answers: ReadonlyMap<string, Usage>;
  readonly models: ReadonlyMap<string, ModelUse>;
  add(usage: Usage, responseId: unknown): boolean;
}

/** Adds usage to that of its model. */
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

/** Engines are not trusted with numbers: what is no finite, non-negative number counts as nothing. */
function toUsage(usage: Usage): Usage {
  const inputTokens = toCount(usage.inputTokens) ?? 0;
  const outputTokens = toCount(usage.outputTokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    totalTokens: toCount(usage.totalTokens) ?? inputTokens + outputTokens,
    ...defined({
      reasoningTokens: toCount(usage.reasoningTokens),
      cacheReadTokens: toCount(usage.cacheReadTokens),
      cacheWriteTokens: toCount(usage.cacheWriteTokens),
      costMicros: toAmount(usage.costMicros),
      latencyMs: toAmount(usage.latencyMs),
    }),
    ...(usage.isCostPartial === true ? { isCostPartial: true } : {}),
    ...(typeof usage.model === "string" ? { model: usage.model } : {}),
  };
}

function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function toCount(value: unknown): number | undefined {
  const amount = toAmount(value);
  return amount === undefined ? undefined : Math.round(amount);
}

function defined(fields: Readonly<Record<string, number | undefined>>): Partial<Usage> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
