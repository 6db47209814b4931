// @ts-check

/** @import { Contender } from "./plan.mjs" */

/**
 * Contenders. Loaded on demand, because each has separate processes.
 * @type {Readonly<Record<string, () => Promise<Contender>>>}
 */
export const CONTENDERS = {
  iterator: async () => (await import("./iterator.mjs")).openIterator(),
  files: async () => (await import("./runner.mjs")).openRunnerWithFiles(),
  sqlite: async () => (await import("./runner.mjs")).openRunnerWithSqlite(),
  flushes: async () => (await import("./flushes.mjs")).openFlushes(),
  floor: async () => (await import("./floor.mjs")).openFloor(),
  pi: async () => (await import("./pi.mjs")).openPi(),
  "ai-sdk": async () => (await import("./ai-sdk.mjs")).openAiSdk(),
  "openai-agents": async () => (await import("./openai-agents.mjs")).openOpenAiAgents(),
};
