import type { LocalEnvironmentOptions } from "@switchyard/environment/local";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { EnvironmentFactory } from "@switchyard/testkit";
import { COMMANDS_SAMPLE, SEARCHES_SAMPLE } from "./case-sample.ts";
import type { EnvironmentRow } from "./environment-row.ts";
import { makeLocalFolders } from "./local-folders.ts";

/** Opens environments on this machine, each in a new folder. */
function localFactory(options: Partial<LocalEnvironmentOptions> = {}): EnvironmentFactory {
  return async ({ variables }) => {
    const { folder, root, subject } = await makeLocalFolders();
    const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
    return { environment: await openLocalEnvironment({ root, env, ...options }), ...subject };
  };
}

/** This machine, with ripgrep. */
export const localRow: EnvironmentRow = {
  name: "local",
  component: "this machine",
  isReal: true,
  start: async () => ({ factory: localFactory() }),
};

/** This machine, with the built-in search. */
export const localWithoutRipgrepRow: EnvironmentRow = {
  name: "local without ripgrep",
  component: "this machine",
  isReal: true,
  sample: SEARCHES_SAMPLE,
  start: async () => ({ factory: localFactory({ ripgrep: false }) }),
};

/** This machine, each command started by a helper process. */
export const localWithHelperRow: EnvironmentRow = {
  name: "local through a helper",
  component: "this machine",
  isReal: true,
  sample: COMMANDS_SAMPLE,
  start: async () => ({ factory: localFactory({ spawnHelper: "always" }) }),
};
