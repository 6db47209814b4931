// @ts-check
import { isSyscall } from "./strace.mjs";

/** @import { FinalState } from "../history/history.mjs" */
/** @import { Case } from "./run-case.mjs" */

/**
 * Harm to a run: killed at a boundary or in a system call, damaged, resumed by two processes at once, or taken over
 * while its process is stopped, by force or because its lease expired.
 * @typedef {"kill" | "rename" | "fsync" | "fdatasync" | "flush" | "damage" | "duel" | "zombie" | "zombie-lease"} Harm
 */

const NAME =
  /^([a-z-]+)\/(kill|rename|fsync|fdatasync|flush|damage|duel|zombie|zombie-lease)\/(?:\[(.+)\])?(\d+)(?:@(\d+))?$/;
/** Lease duration of a silent writer in cases that wait for its end, in milliseconds. */
const SHORT_LEASE_MS = 400;

/**
 * Returns the name of a case: `VARIANT/HARM/BOUNDARY`, with `@SEED` if later attempts are killed at random. `[LABEL]N`
 * is the N-th boundary with that label, because with several agents plain numbers depend on timing.
 * @param {string} variant
 * @param {Harm} harm
 * @param {{ at: number, label?: string, seed?: number }} place
 * @returns {string}
 */
export function nameCase(variant, harm, { at, label, seed }) {
  return `${variant}/${harm}/${label === undefined ? "" : `[${label}]`}${at}${seed === undefined ? "" : `@${seed}`}`;
}

/**
 * Parses the name of a case. Throws if it is invalid.
 * @param {string} name
 * @param {FinalState} reference
 * @returns {{ harm: Harm, given: Case }}
 */
export function parseCase(name, reference) {
  const [, variant, harm, label, at, seed] = NAME.exec(name) ?? [];
  if (variant === undefined || !isHarm(harm)) throw new Error(`${name} is not a case; a case looks like file/kill/17`);
  /** @type {Case} */
  const given = { name, variant, killAt: Number(at), reference };
  if (label !== undefined) given.label = label;
  if (isSyscall(harm)) given.syscall = harm;
  if (harm === "zombie-lease") given.leaseMs = SHORT_LEASE_MS;
  if (seed !== undefined) given.seed = Number(seed);
  return { harm, given };
}

/**
 * Returns the variant of a case.
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
