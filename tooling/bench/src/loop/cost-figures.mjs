// @ts-check
import { ratioFigure } from "../figure/figure.mjs";

/** @import { Figure, Target } from "../figure/figure.mjs" */
/** @import { Cost } from "./workload.mjs" */

/** Our contenders: the paths that the documents show. */
export const OURS = ["iterator", "files", "sqlite"];

/** Titles of contenders in tables. @type {Readonly<Record<string, string>>} */
const TITLES = {
  iterator: "session",
  files: "run in a file store",
  sqlite: "run in SQLite",
  flushes: "two flushes",
  floor: "floor",
  pi: "pi-agent-core",
  "ai-sdk": "AI SDK's agent",
  "openai-agents": "OpenAI Agents",
};

/** @param {string} name */
export function titleOf(name) {
  return TITLES[name] ?? name;
}

/**
 * Unit and value of a column.
 * @typedef {object} Column
 * @property {string} unit
 * @property {(cost: Cost) => number} amountOf
 */

/** @param {number} count operations that the CPU is divided by @returns {Column} */
export function cpuPer(count) {
  return { unit: "µs CPU", amountOf: ({ cpuMs }) => (cpuMs * 1000) / count };
}

/** @type {Column} */
export const GROWTH = { unit: "MB", amountOf: ({ grownBytes }) => grownBytes / 2 ** 20 };

/**
 * Compares one contender with another, for as many pairs as both have.
 * @param {(name: string) => readonly Cost[]} costs
 * @param {{ name: string, ours: string, yardstick: string, target?: Target | undefined }} row
 * @param {Column} column
 * @returns {Figure}
 */
export function besideFigure(costs, { name, ours, yardstick, target }, { unit, amountOf }) {
  const [own, other] = [costs(ours), costs(yardstick)];
  const pairs = Math.min(own.length, other.length);
  const label = { name, unit, ...(target === undefined ? {} : { target }) };
  const values = other.slice(0, pairs).map(amountOf);
  return ratioFigure(label, own.slice(0, pairs).map(amountOf), { name: titleOf(yardstick), values });
}
