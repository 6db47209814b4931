import { openLocalEnvironment, openSandboxedEnvironment, sandboxReadiness } from "@switchyard/environment/local";
import type { EnvironmentFactory } from "@switchyard/testkit";
import { COMMANDS_SAMPLE, SANDBOX_SAMPLE } from "./case-sample.ts";
import type { EnvironmentRow, StartedRow } from "./environment-row.ts";
import { makeLocalFolders } from "./local-folders.ts";

const sandboxFactory: EnvironmentFactory = async ({ variables }) => {
  const { folder, root, subject } = await makeLocalFolders();
  const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
  // The trees of some cases contain a `.git/config`, which a sandbox protects.
  const writer = await openLocalEnvironment({ root });
  return { environment: await openSandboxedEnvironment({ root, env }), writer, ...subject };
};

const namespaceFactory: EnvironmentFactory = async ({ variables }) => {
  const { folder, root, subject } = await makeLocalFolders();
  const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
  return { environment: await openLocalEnvironment({ root, env, processes: "namespace" }), ...subject };
};

async function whenReady(factory: EnvironmentFactory): Promise<StartedRow | string> {
  const { missing } = await sandboxReadiness({ ...process.env });
  return missing.length === 0 ? { factory } : missing.map(({ problem }) => problem).join("; ");
}

/** This machine, in a sandbox. */
export const sandboxRow: EnvironmentRow = {
  name: "sandbox",
  component: "bubblewrap (real)",
  isReal: true,
  sample: SANDBOX_SAMPLE,
  start: () => whenReady(sandboxFactory),
};

/** This machine, with a process namespace for each command. */
export const localNamespaceRow: EnvironmentRow = {
  name: "local with process namespaces",
  component: "bubblewrap (real)",
  isReal: true,
  sample: COMMANDS_SAMPLE,
  start: () => whenReady(namespaceFactory),
};
