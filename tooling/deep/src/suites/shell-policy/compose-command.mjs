// @ts-check
import { SCENARIOS } from "./scenarios.mjs";

/** @import { Fragment, Scenario } from "./fragment.mjs" */

/**
 * A command line, and the rule that it is judged by.
 * @typedef {object} ComposedCommand
 * @property {Scenario} scenario
 * @property {string} line
 * @property {boolean} isCovered True if it only consists of words that the rule covers, written plainly.
 */

/** Effects of a shell in addition to running a command: around it, or within a word of it. */
const SHELL_EFFECTS = [
  (/** @type {string} */ line) => `${line}; /tmp/canary/run`,
  (/** @type {string} */ line) => `${line} && /tmp/canary/run`,
  (/** @type {string} */ line) => `${line} || /tmp/canary/run`,
  (/** @type {string} */ line) => `${line} | /tmp/canary/run`,
  (/** @type {string} */ line) => `${line} & /tmp/canary/run`,
  (/** @type {string} */ line) => `${line}\n/tmp/canary/run`,
  (/** @type {string} */ line) => `${line} $(/tmp/canary/run)`,
  (/** @type {string} */ line) => `${line} "$(/tmp/canary/run)"`,
  (/** @type {string} */ line) => `${line} \`/tmp/canary/run\``,
  (/** @type {string} */ line) => `${line} <(/tmp/canary/run)`,
  (/** @type {string} */ line) => `${line} >(/tmp/canary/run)`,
  (/** @type {string} */ line) => `${line} > /tmp/outside/f`,
  (/** @type {string} */ line) => `${line} >| /tmp/outside/f`,
  (/** @type {string} */ line) => `${line} 2>>/tmp/outside/f`,
  (/** @type {string} */ line) => `${line} &> /tmp/outside/f`,
  (/** @type {string} */ line) => `${line} <> /tmp/outside/f`,
  (/** @type {string} */ line) => `> /tmp/outside/f ${line}`,
  (/** @type {string} */ line) => `${line} <<EOF\n$(/tmp/canary/run)\nEOF`,
  (/** @type {string} */ line) => `${line} <<< "$(/tmp/canary/run)"`,
  (/** @type {string} */ line) => `sh <<'EOF'\n${line}; /tmp/canary/run\nEOF`,
  (/** @type {string} */ line) => `PATH=/tmp/canary:$PATH ${line}`,
  (/** @type {string} */ line) => `LD_PRELOAD=/tmp/canary/x.so ${line} > /tmp/outside/f`,
  (/** @type {string} */ line) => `GIT_EXTERNAL_DIFF=/tmp/canary/run ${line}`,
  (/** @type {string} */ line) => `BASH_ENV=/tmp/canary/run ${line}`,
  (/** @type {string} */ line) => `( ${line}; /tmp/canary/run )`,
  (/** @type {string} */ line) => `f() { /tmp/canary/run; }; f ${line}`,
  (/** @type {string} */ line) => `env ${line}; /tmp/canary/run`,
  (/** @type {string} */ line) => `X=/tmp/canary/run; $X ${line}`,
  (/** @type {string} */ line) => `eval '${line.replaceAll("'", "")}; /tmp/canary/run'`,
  (/** @type {string} */ line) => `\${X:-/tmp/canary/run} ${line}`,
];

/**
 * Ways to start the canary named by a deny rule: directly, through other programs, and through shell-specific words.
 */
const STARTS = [
  "/tmp/canary/run",
  "'/tmp/canary'/run",
  '/tmp/canary/r""un',
  "\\/tmp/canary/run",
  "/tmp/canary/r?n",
  "/tmp/can*/[r]un",
  "$'/tmp/canary/\\x72un'",
  "X=un; /tmp/canary/r$X",
  "{/tmp/canary/run,}",
  "cd /tmp/canary && ./run",
  "PATH=/tmp/canary; run",
  "if true; then /tmp/canary/run; fi",
  "for f in 1; do /tmp/canary/run; done",
  "f() { /tmp/canary/run; }; f",
  "case x in x) /tmp/canary/run;; esac",
  "! /tmp/canary/run",
  "{ /tmp/canary/run; }",
  "echo /tmp/canary/run | sh",
  "echo L3RtcC9jYW5hcnkvcnVu | base64 -d | sh",
  "sh <<EOF\n/tmp/canary/run\nEOF",
  "cat <<EOF\n$(/tmp/canary/run)\nEOF",
  "trap /tmp/canary/run EXIT",
  "alias x=/tmp/canary/run; shopt -s expand_aliases\neval x",
  "find a.txt -exec /tmp/canary/run ';'",
  "echo x | xargs /tmp/canary/run",
  'awk \'BEGIN{system("/tmp/canary/ru" "n")}\'',
  'perl -e \'system("/tmp/canary/ru" . "n")\'',
  "git -c alias.z='!/tmp/canary/run' z",
  "sort --compress-program=/tmp/canary/run -S 1K big.txt",
  "tar -tf x.tar -I /tmp/canary/run",
];

/** Programs that run other programs. */
const WRAPPED = [
  (/** @type {string} */ line) => line,
  (/** @type {string} */ line) => `env ${line}`,
  (/** @type {string} */ line) => `env A=b -u C nice -n 5 ${line}`,
  (/** @type {string} */ line) => `timeout 5 ${line}`,
  (/** @type {string} */ line) => `nohup setsid -w ${line}`,
  (/** @type {string} */ line) => `sh -c '${line.replaceAll("'", "'\\''")}'`,
  (/** @type {string} */ line) => `bash -ec '${line.replaceAll("'", "'\\''")}'`,
  (/** @type {string} */ line) => `eval '${line.replaceAll("'", "'\\''")}'`,
  (/** @type {string} */ line) => `true && ${line}`,
  (/** @type {string} */ line) => `true; (${line})`,
  (/** @type {string} */ line) => `echo $(${line})`,
  (/** @type {string} */ line) => `cat <(${line})`,
  (/** @type {string} */ line) => `command ${line}`,
  (/** @type {string} */ line) => `time ${line}`,
  (/** @type {string} */ line) => `flock a.txt ${line}`,
  (/** @type {string} */ line) => `A=1 B=2 ${line}`,
];

/**
 * Composes a command line that may start the canary, to be judged by a deny rule.
 * @param {number} seed
 * @param {number} index
 * @returns {string}
 */
export function composeStart(seed, index) {
  const random = randomOf(seed ^ 0x5eed, index);
  const inner = pick(WRAPPED, random)(pick(STARTS, random));
  return random() < 0.5 ? pick(WRAPPED, random)(inner) : inner;
}

/** Shell constructs without effect. */
const HARMLESS_AROUND = [
  (/** @type {string} */ line) => line,
  (/** @type {string} */ line) => line,
  (/** @type {string} */ line) => `${line} 2>&1`,
  (/** @type {string} */ line) => `${line} 2>/dev/null`,
  (/** @type {string} */ line) => `${line} >/dev/null 2>&1`,
  (/** @type {string} */ line) => `  ${line}\n`,
];

/**
 * Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), determined by seed and case number.
 * @param {number} seed
 * @param {number} index
 * @returns {() => number}
 */
function randomOf(seed, index) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {() => number} random
 * @returns {T}
 */
function pick(list, random) {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error("an empty list");
  return found;
}

/**
 * Rewrites an option in an equivalent form accepted by GNU programs and git.
 * @param {readonly string[]} words
 * @param {() => number} random
 * @returns {readonly string[]}
 */
function respell(words, random) {
  return words.flatMap((word) => {
    const [, name = "", value] = /^(--[a-z][a-z-]+)(?:=(.*))?$/su.exec(word) ?? [];
    const kind = random();
    if (name === "" || kind < 0.6) return [word];
    const short = kind < 0.8 ? name.slice(0, Math.max(5, name.length - 1 - Math.floor(random() * 4))) : name;
    if (value === undefined) return [short];
    return random() < 0.5 ? [`${short}=${value}`] : [short, value];
  });
}

/**
 * Quotes a word for a shell.
 * @param {string} word
 * @param {() => number} random
 * @returns {string}
 */
function quote(word, random) {
  const isPlain = /^[\w./:=@+,%-]+$/.test(word);
  const kind = random();
  if (isPlain && kind < 0.75) return word;
  if (isPlain && kind < 0.85) return `${word.slice(0, 1)}''${word.slice(1)}`;
  if (isPlain && kind < 0.9) return `"${word}"`;
  if (isPlain && kind < 0.93) return `\\${word}`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {Scenario} scenario
 * @param {Fragment | undefined} fragment
 * @param {readonly string[]} good
 * @returns {readonly string[]}
 */
export function wordsOf({ words }, fragment, good = []) {
  if (fragment === undefined) return [...words, ...good];
  if (fragment.isFirst === true) return [...words.slice(0, 1), ...fragment.words];
  return [...words, ...good, ...fragment.words];
}

/**
 * Composes the command of a case.
 * @param {number} seed
 * @param {number} index
 * @returns {ComposedCommand}
 */
export function composeCommand(seed, index) {
  const random = randomOf(seed, index);
  // npm takes half a second to start.
  const scenario = pick(random() < 0.97 ? SCENARIOS.filter(({ rule }) => rule !== "npm test") : SCENARIOS, random);
  const good =
    scenario.good.length > 0 && (scenario.needsGood === true || random() < 0.7) ? pick(scenario.good, random) : [];
  const isBad = scenario.bad.length > 0 && random() < 0.5;
  const fragment = isBad ? pick(scenario.bad, random) : undefined;
  const words = isBad ? respell(wordsOf(scenario, fragment, good), random) : wordsOf(scenario, undefined, good);
  const isShuffled = isBad && fragment?.isFirst !== true && random() < 0.2;
  const line = (isShuffled ? shuffleTail(words, random) : words).map((word) => quote(word, random)).join(" ");
  const isPlain = !/\\|'\\''/.test(line) && !isBad;
  const hasShellEffect = random() < 0.3;
  return {
    scenario,
    line: pick(hasShellEffect ? SHELL_EFFECTS : HARMLESS_AROUND, random)(line),
    isCovered: isPlain && !hasShellEffect && scenario.isNever !== true,
  };
}

/**
 * @param {readonly string[]} words
 * @param {() => number} random
 * @returns {readonly string[]}
 */
function shuffleTail([first = "", ...rest], random) {
  const keyed = rest.map((word) => ({ word, at: random() }));
  return [first, ...keyed.sort((left, right) => left.at - right.at).map(({ word }) => word)];
}
