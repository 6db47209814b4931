import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { TransportSetting } from "@switchyard/testkit";
import { createCustomEngine, loadEngineConfig } from "../../src/index.ts";

/** Time from SIGTERM to SIGKILL. Short, so that no test waits for two seconds. */
const KILL_GRACE_MS = 300;

/** An empty workspace on this machine, and its environment. */
export interface TransportEnvironment {
  readonly environment: ExecutionEnvironment;
  dispose(): Promise<void>;
}

/** Creates an environment whose host has the variables of a setting. */
export async function openTransportEnvironment({ variables }: TransportSetting): Promise<TransportEnvironment> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "transport-")));
  const root = join(folder, "workspace");
  await mkdir(root);
  const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
  const environment = await openLocalEnvironment({ root, env, killGraceMs: KILL_GRACE_MS });
  return {
    environment,
    async dispose() {
      await environment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the engine of a setting, with the transport's block of the custom configuration. */
export function configureEngine(
  { name, model, custom, apiKey, variables }: TransportSetting,
  carrier: Readonly<Record<string, unknown>>,
): Engine {
  const loaded = loadEngineConfig({ engine: { name, model, custom: { ...custom, ...carrier } } }, { env: variables });
  if (loaded.custom === undefined) throw new TypeError("The engine is not a custom one.");
  return createCustomEngine(loaded.custom, { apiKey });
}

/** Returns a map unchanged, and an empty map for any other value. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
