// @ts-check
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { RUN_ID } from "../driver/run-case.mjs";
import { chooseNumber, chooseOne } from "./choose.mjs";
import { BYTE_DAMAGES } from "./damage-bytes.mjs";

/** @import { Random } from "./choose.mjs" */

/**
 * Locations of a state folder and of copies: of the same run at an earlier time, and of another run.
 * @typedef {{ state: string, older: string, other: string }} FilePlaces
 */

/**
 * A damage. `isHarmless`: a resume does not need the damaged data, so it must not be refused.
 * @typedef {{ name: string, isHarmless: boolean }} Damage
 */

/** Id of the other run. */
export const OTHER_RUN_ID = "other";
const FOREIGN_FILE = "not-of-the-run.txt";
/** Maximum number of attempts to find a damage that changes something. */
const MAX_TRIES = 50;
/** Fraction of damages to checkpoints or events. */
const HOT_PART = 0.5;

/**
 * Damages one file or folder of a state folder. `isTarget` restricts the choice.
 * @param {FilePlaces} places
 * @param {Random} random
 * @param {(path: string) => boolean} [isTarget]
 * @returns {Damage}
 */
export function damageOneFile(places, random, isTarget = () => true) {
  const all = entriesIn(places.state).filter(isTarget);
  const hot = all.filter((path) => /checkpoints|events\.jsonl|runs\.db/.test(path));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const path = chooseOne(random, hot.length > 0 && random() < HOT_PART ? hot : all);
    const how = damageEntry(places, path, random);
    if (how !== undefined) return { name: `${path} ${how}`, isHarmless: isNeedless(path) };
  }
  throw new Error(`Nothing in ${places.state} could be damaged.`);
}

/**
 * Replaces files and folders with their older copies. Those that did not exist yet are removed.
 * @param {FilePlaces} places
 * @param {readonly string[]} paths
 * @returns {Damage}
 */
export function replaceByOlder({ state, older }, paths) {
  for (const path of paths) {
    rmSync(join(state, path), { recursive: true, force: true });
    const copy = join(older, path);
    if (existsSync(copy)) cpSync(copy, join(state, path), { recursive: true });
  }
  return { name: `${paths.join(" and ")} replaced by an older copy`, isHarmless: false };
}

/**
 * Creates the folder outside the state folder that links point to. A resume must not remove its contents.
 * @param {string} state
 * @returns {string} its path
 */
function outsideOf(state) {
  const outside = `${state}-outside`;
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, FOREIGN_FILE), "");
  return outside;
}

/**
 * Returns whether the targets of links are unchanged.
 * @param {string} state
 * @returns {boolean}
 */
export function isOutsideWhole(state) {
  const outside = `${state}-outside`;
  return !existsSync(outside) || existsSync(join(outside, FOREIGN_FILE));
}

/**
 * Returns whether a file is not needed for a resume: it is for people and tools, or a watermark, which only detects
 * losses.
 * @param {string} path
 * @returns {boolean}
 */
function isNeedless(path) {
  return /(^|\/)(report\.json|recording\.jsonl|changes\.[a-z]+|watermarks?|locks)(\/|$)/.test(path);
}

/**
 * Returns every file and folder below a folder, as relative paths.
 * @param {string} root
 * @returns {string[]}
 */
function entriesIn(root) {
  // With file types, because otherwise Node 20 follows links.
  const entries = readdirSync(root, { recursive: true, withFileTypes: true, encoding: "utf8" });
  return entries.map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort();
}

/**
 * @param {FilePlaces} places
 * @param {string} path
 * @param {Random} random
 * @returns {string | undefined} What was done. `undefined` if it would have changed nothing.
 */
function damageEntry({ state, older, other }, path, random) {
  const target = join(state, path);
  const isFolder = lstatSync(target).isDirectory();
  const kinds = ["deleted", "older", "other", "folder", "link", ...(isFolder ? [] : Object.keys(BYTE_DAMAGES))];
  const kind = chooseOne(random, kinds);
  const change = BYTE_DAMAGES[kind];
  if (change !== undefined) return changeBytes(target, { kind, change, random });
  if (kind === "older" || kind === "other") {
    const from = kind === "older" ? join(older, path) : join(other, path.replace(RUN_ID, OTHER_RUN_ID));
    if (!existsSync(from) || lstatSync(from).isDirectory() !== isFolder || isSame(from, target, isFolder))
      return undefined;
    rmSync(target, { recursive: true });
    cpSync(from, target, { recursive: true });
    return kind === "older" ? "replaced by an older copy" : "replaced by another run's";
  }
  rmSync(target, { recursive: true });
  if (kind === "folder") {
    if (isFolder) writeFileSync(target, "");
    else mkdirSync(target);
    return isFolder ? "replaced by a file" : "replaced by a folder";
  }
  if (kind === "link") symlinkSync(chooseNumber(random, 0, 1) === 0 ? "/nonexistent" : outsideOf(state), target);
  return kind === "link" ? "replaced by a link" : "deleted";
}

/**
 * @param {string} target
 * @param {{ kind: string, change: import("./damage-bytes.mjs").ByteDamage, random: Random }} damage
 * @returns {string | undefined}
 */
function changeBytes(target, { kind, change, random }) {
  const bytes = readFileSync(target);
  if (bytes.length === 0) return undefined;
  const changed = change(bytes, random);
  if (changed.equals(bytes)) return undefined;
  writeFileSync(target, changed);
  return kind;
}

/**
 * @param {string} from
 * @param {string} target
 * @param {boolean} isFolder
 * @returns {boolean}
 */
function isSame(from, target, isFolder) {
  if (!isFolder) return readFileSync(from).equals(readFileSync(target));
  return (
    JSON.stringify(entriesIn(from)) === JSON.stringify(entriesIn(target)) &&
    entriesIn(from).every((path) => {
      const [left, right] = [join(from, path), join(target, path)];
      return lstatSync(left).isDirectory() || readFileSync(left).equals(readFileSync(right));
    })
  );
}
