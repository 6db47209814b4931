// @ts-check
import { createHash } from "node:crypto";

/**
 * Probability with which an engine solves a case.
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
const RATES = {
  "fix-last-page": { steady: 1, quick: 0.9 },
  "fix-map-limit": { steady: 0.9, quick: 0.6 },
  "fix-shared-default": { steady: 0.9, quick: 0.7 },
  "fix-csv-quotes": { steady: 0.8, quick: 0.6 },
  "fix-file-names": { steady: 0.9, quick: 0.8 },
  "refactor-duplicate-check": { steady: 0.7, quick: 0.4 },
  "refactor-promises": { steady: 0.8, quick: 0.6 },
  "refactor-dataclass": { steady: 0.9, quick: 0.7 },
  "refactor-rename": { steady: 1, quick: 0.9 },
  "review-injection": { steady: 0.8, quick: 0.6 },
  "review-lost-update": { steady: 0.6, quick: 0.3 },
  "review-clean-change": { steady: 0.5, quick: 0.4 },
  "data-sales-totals": { steady: 0.9, quick: 0.8 },
  "data-top-errors": { steady: 0.8, quick: 0.6 },
  "data-merge-contacts": { steady: 0.7, quick: 0.5 },
  "data-sql-report": { steady: 0.6, quick: 0.3 },
  "docs-options": { steady: 0.9, quick: 0.7 },
  "docs-links": { steady: 0.9, quick: 0.8 },
  "docs-changelog": { steady: 0.7, quick: 0.5 },
  "test-slug": { steady: 0.7, quick: 0.3 },
};

/**
 * Returns the ids of all cases.
 * @returns {string[]}
 */
export function caseIds() {
  return Object.keys(RATES);
}

/**
 * Returns the probability with which an engine solves a case.
 * @param {string} engine
 * @param {string} caseId
 * @returns {number}
 */
export function rateOf(engine, caseId) {
  return engine === "oracle" ? 1 : (RATES[caseId]?.[engine] ?? 0);
}

/**
 * Returns true if an engine solves a case in its run number `draw`. The same seed gives the same answers.
 * @param {{ engine: string, caseId: string, draw: string, seed: string }} run
 * @returns {boolean}
 */
export function isSolved({ engine, caseId, draw, seed }) {
  const hash = createHash("sha256").update([seed, engine, caseId, draw].join("\n")).digest();
  return hash.readUIntBE(0, 6) / 2 ** 48 < rateOf(engine, caseId);
}
