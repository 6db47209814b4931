// @ts-check

/** @import { Contender } from "./plan.mjs" */

/**
 * Contenders. Loaded on demand, because each has separate processes.
 * @type {Readonly<Record<string, () => Promise<Contender>>>}
 */
export const CONTENDERS = {
  session: async () => (await import("./session.mjs")).openSession(),
  engine: async () => (await import("./engine.mjs")).openEngine(),
  durable: async () => (await import("./durable-engine.mjs")).openDurableEngine(),
  floor: async () => (await import("./floor.mjs")).openFloor(),
  pi: async () => (await import("./pi.mjs")).openPi(),
  "ai-sdk": async () => (await import("./ai-sdk.mjs")).openAiSdk(),
  "openai-agents": async () => (await import("./openai-agents.mjs")).openOpenAiAgents(),
};
