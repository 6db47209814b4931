import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults, defineConfig } from "vitest/config";

/** Tests that count the clients that their process has started, so each file needs a process of its own. */
const OWN_PROCESS = ["test/ssh/connection.test.ts", "test/docker/docker.test.ts", "test/kubernetes/kubernetes.test.ts"];

const { resolve = {}, ssr = {}, test = {} } = settings;
const shared = {
  ...test,
  // Tests mostly wait, for containers, connections and time limits: so many cases of the contract run at once.
  maxConcurrency: 4,
};

export default defineConfig({
  test: {
    reporters: test.reporters ?? [],
    // For the same reason, two files run at once also on two processors.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        ssr,
        test: {
          ...shared,
          name: "environment",
          exclude: [...configDefaults.exclude, "test/task/**", ...OWN_PROCESS],
          maxWorkers: 2,
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...shared,
          name: "own-process",
          include: OWN_PROCESS,
          isolate: true,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
