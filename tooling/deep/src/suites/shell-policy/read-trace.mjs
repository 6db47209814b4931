// @ts-check
import { posix } from "node:path";

/** @import { Scenario } from "./fragment.mjs" */

/**
 * Effects of a command.
 * @typedef {object} Effects
 * @property {readonly string[]} runs Programs that were started, without the shell that read the command line.
 * @property {readonly string[]} writes Paths that were opened for writing, made, moved or removed.
 * @property {readonly string[]} connects Addresses that were connected to, or tried.
 */

const CALL = /^(?:\d+ +)?(\w+)\((.*)$/s;
const WRITING = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/;
const FAILED = /= -1 E(?:NOENT|ACCES|NOEXEC|ISDIR|EXIST|NOTDIR|INVAL|XDEV)\b/;
const CHANGERS =
  /^(?:unlink|rmdir|mkdir|rename|link|symlink|truncate|chmod|fchmodat|chown|lchown|fchownat|mknod|creat)/;
/** Paths where writing has no lasting effect. */
const VOLATILE = /^\/(?:dev\/(?:null|tty|zero|full|fd|std\w+|pts|shm)|proc\/)|^(?:pipe|socket|anon_inode):/;

/**
 * @param {string} text
 * @returns {string}
 */
function unquote(text) {
  return text.replace(/\\(["\\])/g, "$1");
}

/**
 * Resolves each quoted path of a call against the folder that strace prints before it.
 * @param {string} args
 * @returns {string[]}
 */
function pathsIn(args) {
  const found = args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/gs);
  return (
    [...found]
      .map(([, folder = "/tmp/w", path = ""]) => posix.resolve(folder, unquote(path)))
      // The workspace's link that leads out of it.
      .map((path) => path.replace(/^\/tmp\/w\/out(?=\/)/, "/tmp/outside"))
  );
}

/**
 * @param {string} name
 * @param {string} args
 * @returns {readonly string[]}
 */
function writtenPaths(name, args) {
  if (name.startsWith("open"))
    return WRITING.test(args.replace(/"(?:[^"\\]|\\.)*"/g, "")) ? pathsIn(args).slice(0, 1) : [];
  if (!CHANGERS.test(name)) return [];
  // The first path of a link is its target, which is only read.
  return name.startsWith("symlink") || name.startsWith("link") ? pathsIn(args).slice(1) : pathsIn(args);
}

/**
 * Parses the trace of one command.
 * @param {string} trace
 * @returns {Effects}
 */
export function readTrace(trace) {
  /** @type {string[]} */
  const runs = [];
  /** @type {string[]} */
  const writes = [];
  /** @type {string[]} */
  const connects = [];
  for (const line of trace.split("\n")) {
    const [, name = "", args = ""] = CALL.exec(line) ?? [];
    if (name === "" || FAILED.test(args)) continue;
    if (name.startsWith("execve")) runs.push(...pathsIn(args).slice(0, 1));
    else if (name === "connect" && /AF_INET/.test(args)) connects.push(args.slice(0, 120));
    else writes.push(...writtenPaths(name, args).filter((path) => !VOLATILE.test(path)));
  }
  return { runs: runs.slice(1), writes, connects };
}

/**
 * Returns the effects that a rule does not cover.
 * @param {Effects} effects
 * @param {Scenario} scenario
 * @returns {readonly { effect: "run" | "write" | "connect", what: string }[]}
 */
export function unexpectedEffects(effects, { words, writes = [], runs = [] }) {
  const [program = "no program"] = words;
  const own = new RegExp(`/(?:${program.replace(/^.*\//, "")}|mawk|gawk|original-awk|vim\\.\\w+|node|python[\\d.]*)$`);
  const run = effects.runs.filter((path) => !own.test(path) && !runs.some((pattern) => pattern.test(path)));
  const write = effects.writes.filter((path) => !writes.some((pattern) => pattern.test(path)));
  return [
    ...run.map((what) => ({ effect: /** @type {const} */ ("run"), what })),
    ...write.map((what) => ({ effect: /** @type {const} */ ("write"), what })),
    ...effects.connects.map((what) => ({ effect: /** @type {const} */ ("connect"), what })),
  ];
}
