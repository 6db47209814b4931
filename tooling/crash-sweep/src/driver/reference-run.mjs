// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeCaseFolder, removeCaseFolder } from "./case-folder.mjs";
import { observe } from "./observe.mjs";
import { attemptOf, judge, RUN_ID } from "./run-case.mjs";
import { runWorker } from "./run-worker.mjs";
import { countSyscalls, logSyscalls } from "./strace.mjs";

/** @import { FinalState, Violation } from "../history/history.mjs" */

/**
 * Result of an unharmed run, and the boundaries at which it can be harmed.
 * @typedef {{ final: FinalState, labels: string[], syscalls: Record<string, number>,
 * violations: Violation[] }} Reference
 */

/** @typedef {Readonly<Record<"file" | "sqlite" | "family" | "family-sqlite", Reference>>} References */

/**
 * Runs each variant that has separate boundaries without faults.
 * @param {boolean} traced
 * @returns {Promise<References>}
 */
export async function runReferences(traced) {
  const file = await runReference({ variant: "file", traced });
  const sqlite = await runReference({ variant: "sqlite", traced });
  const family = await runReference({ variant: "family", traced });
  return { file, sqlite, family, "family-sqlite": await runReference({ variant: "family-sqlite", traced: false }) };
}

/**
 * Runs a session to completion without harm. Throws if it fails, because there is then no reference.
 * @param {{ variant: string, traced: boolean }} options
 * @returns {Promise<Reference>}
 */
export async function runReference({ variant, traced }) {
  const folder = makeCaseFolder(variant);
  try {
    const labels = join(folder.root, "labels.json");
    const log = join(folder.root, "strace.log");
    const attempt = { ...attemptOf(folder, false), labels };
    const end = await runWorker(attempt, { root: folder.root, prefix: traced ? logSyscalls(log) : [] });
    await observe(folder, RUN_ID);
    const given = { name: "reference", variant, killAt: 0 };
    const { history, violations, problem } = await judge({ folder, given, ends: [end] });
    if (history.final === undefined) throw new Error(`The uninterrupted run failed: ${problem}`);
    const syscalls = traced ? countSyscalls(log) : {};
    return { final: history.final, labels: JSON.parse(readFileSync(labels, "utf8")), syscalls, violations };
  } finally {
    removeCaseFolder(folder);
  }
}
