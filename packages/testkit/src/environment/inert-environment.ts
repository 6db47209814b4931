import type { ExecutionEnvironment } from "@switchyard/contracts";

function refuse(): Promise<never> {
  return Promise.reject(new Error("nothing is there"));
}

/** Creates an environment without files and programs, for tests that use neither. Every operation rejects. */
export function inertEnvironment(): ExecutionEnvironment {
  return {
    name: "still",
    workingDirectory: "/still",
    platform: "linux",
    osVersion: "1",
    readFile: refuse,
    readBytes: refuse,
    writeFile: refuse,
    exists: async () => false,
    stat: refuse,
    listDirectory: refuse,
    makeDirectory: refuse,
    rename: refuse,
    remove: refuse,
    exec: refuse,
    shell: refuse,
    spawn: refuse,
    grep: refuse,
    glob: refuse,
    [Symbol.asyncDispose]: async () => {},
  };
}
