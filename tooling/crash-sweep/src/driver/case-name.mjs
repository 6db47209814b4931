// @ts-check
import { isSyscall } from "./strace.mjs";

/** @import { FinalState } from "../history/history.mjs" */
/** @import { Case } from "./run-case.mjs" */

/**
 * What is done to a run: killed at a boundary or in a system call, damaged, fought over by two processes, or taken over
 * while its process is stopped, by force or because its lease ran out.
 * @typedef {"kill" | "rename" | "fsync" | "fdatasync" | "flush" | "damage" | "duel" | "zombie" | "zombie-lease"} Harm
 */

const NAME =
  /^([a-z-]+)\/(kill|rename|fsync|fdatasync|flush|damage|duel|zombie|zombie-lease)\/(?:\[(.+)\])?(\d+)(?:@(\d+))?$/;
/** How long a silent writer keeps its lease where that is waited for, in milliseconds. */
const SHORT_LEASE_MS = 400;

/**
 * Name of a case: `VARIANT/HARM/BOUNDARY`, with `@SEED` where later attempts are killed by chance. `[LABEL]N` is the
 * N-th boundary of that label: where several agents are at work, numbers depend on who comes first.
 * @param {string} variant
 * @param {Harm} harm
 * @param {{ at: number, label?: string, seed?: number }} place
 * @returns {string}
 */
export function nameCase(variant, harm, { at, label, seed }) {
  return `${variant}/${harm}/${label === undefined ? "" : `[${label}]`}${at}${seed === undefined ? "" : `@${seed}`}`;
}

/**
 * The case of a name. Throws when it is none.
 * @param {string} name
 * @param {FinalState} reference
 * @returns {{ harm: Harm, given: Case }}
 */
export function parseCase(name, reference) {
  const [, variant, harm, label, at, seed] = NAME.exec(name) ?? [];
  if (variant === undefined || !isHarm(harm)) throw new Error(`${name} is no case; it looks like file/kill/17`);
  /** @type {Case} */
  const given = { name, variant, killAt: Number(at), reference };
  if (label !== undefined) given.label = label;
  if (isSyscall(harm)) given.syscall = harm;
  if (harm === "zombie-lease") given.leaseMs = SHORT_LEASE_MS;
  if (seed !== undefined) given.seed = Number(seed);
  return { harm, given };
}

/**
 * The variant of a case.
 * @param {string} name
 * @returns {string}
 */
export function variantIn(name) {
  return name.slice(0, name.indexOf("/"));
}

/**
 * @param {string | undefined} text
 * @returns {text is Harm}
 */
function isHarm(text) {
  return text !== undefined && NAME.test(`file/${text}/1`);
}
