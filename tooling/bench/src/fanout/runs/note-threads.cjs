// @ts-check
// Loaded with `--require` before the ES modules of a member, whose loading starts the thread pool of Node.js.
const { readdirSync, stat } = require("node:fs");

/** Returns the ids of the threads of this process. `[]` if the system does not list them. */
function threads() {
  return process.platform === "linux" ? readdirSync("/proc/self/task") : [];
}

const before = new Set(threads());
// The first call starts all threads of the pool.
stat("/", () => undefined);

/** Ids of the threads that execute calls to the file system. */
exports.poolThreads = threads().filter((id) => !before.has(id));
