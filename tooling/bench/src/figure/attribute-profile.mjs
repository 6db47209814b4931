// @ts-check

/** @typedef {{ functionName: string, url: string }} CallFrame */
/** @typedef {{ id: number, callFrame: CallFrame, children?: readonly number[] | undefined }} ProfileNode */

/**
 * Profile in the format of V8, as far as it is used here.
 * @typedef {{ nodes: readonly ProfileNode[], samples: readonly number[], timeDeltas: readonly number[] }} CpuProfile
 */

/** Name of the time in which the profile was started and ended. */
const PROFILER = "(profiler)";
/** Time in which the process did nothing, or did not execute the measured program. */
const IDLE = new Set(["(idle)", PROFILER]);
/** Name of the time in calls to the file system. */
export const FILE_SYSTEM = "Node.js fs";

/**
 * Returns the part of the program to which a file belongs: the npm package, or the folder in a package of this
 * repository. `undefined` for files of Node.js.
 * @param {string} url
 * @returns {string | undefined}
 */
function partOf(url) {
  const packages = url.split("/node_modules/");
  if (packages.length > 1) {
    const [scope = "", name = ""] = (packages.at(-1) ?? "").split("/");
    return scope.startsWith("@") ? `${scope}/${name}` : scope;
  }
  const own = /\/(packages|apps|tooling)\/([^/]+)\/(?:dist|src)\/(.*)$/.exec(url);
  if (own === null) return undefined;
  const [, , name = "", path = ""] = own;
  const folder = path.split("/").slice(0, -1).slice(0, 2).join("/");
  return `@switchyard/${name}${folder === "" ? "" : ` ${folder}`}`;
}

/**
 * Returns the name of the time in a file, whoever called it. `undefined` for most files of Node.js.
 * @param {string} url
 * @param {boolean} isFileSystemSeparate
 */
function ownNameOf(url, isFileSystemSeparate) {
  if (isFileSystemSeparate && /^node:(internal\/)?fs(\/|$)/.test(url)) return FILE_SYSTEM;
  return url === "node:inspector" ? PROFILER : partOf(url);
}

/** Name of time whose caller is unknown, and beginning of the names of modules of Node.js. */
const [UNKNOWN, NODE] = ["(program)", "Node.js "];

/** Returns the name of a module of Node.js without its folder, such as `net`. @param {string} url */
function moduleOf(url) {
  return (url.replace(/^node:(internal\/)?/, "").split("/")[0] ?? "").replace("stream_base_commons", "net");
}

/**
 * Returns the CPU time of each part of a program on its main thread, in microseconds. Time in Node.js and in native code
 * counts for the part that called it, or for the module of Node.js if no part called it. Time without a caller has a
 * name in parentheses, such as `(garbage collector)`.
 *
 * `maxSampleUs` is the maximum time that one sample counts: between two samples with a longer interval, the operating
 * system executed other processes. Default: unlimited. If `isFileSystemSeparate` is true, time in calls to the file
 * system has the name `FILE_SYSTEM`. Default: false.
 * @param {CpuProfile} profile
 * @param {{ maxSampleUs?: number, isFileSystemSeparate?: boolean }} [options]
 * @returns {ReadonlyMap<string, number>}
 */
export function attributeProfile({ nodes, samples, timeDeltas }, options = {}) {
  const { maxSampleUs = Number.POSITIVE_INFINITY, isFileSystemSeparate = false } = options;
  /** @type {Map<number, ProfileNode>} */
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<number, number>} */
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  /** @type {Map<number, string>} */
  const known = new Map();
  /** @param {number} id @returns {string} */
  const nameOf = (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const { functionName, url } = byId.get(id)?.callFrame ?? { functionName: "", url: "" };
    const parent = parents.get(id);
    const own =
      ownNameOf(url, isFileSystemSeparate) ??
      (/^\((idle|garbage collector)\)$/.test(functionName) ? functionName : undefined);
    const caller = parent === undefined ? UNKNOWN : nameOf(parent);
    const isOfNode = caller === UNKNOWN || caller.startsWith(NODE);
    const name = own ?? (isOfNode && url.startsWith("node:") ? `${NODE}${moduleOf(url)}` : caller);
    known.set(id, name);
    return name;
  };
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const [index, id] of samples.entries()) {
    const name = nameOf(id);
    if (!IDLE.has(name)) times.set(name, (times.get(name) ?? 0) + Math.min(maxSampleUs, timeDeltas[index] ?? 0));
  }
  return times;
}
