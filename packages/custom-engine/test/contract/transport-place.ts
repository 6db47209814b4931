import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { TransportSetting } from "@switchyard/testkit";
import { createCustomEngine, loadEngineConfig } from "../../src/index.ts";

/** From SIGTERM to SIGKILL: nobody waits for two seconds. */
const KILL_GRACE_MS = 300;

/** An empty workspace on this machine, and the environment of it. */
export interface TransportEnvironment {
  readonly environment: ExecutionEnvironment;
  dispose(): Promise<void>;
}

/** Makes a place, whose host has the variables of a setting. */
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

/** The engine of a setting with the carrier's part of its custom block. */
export function configureEngine(
  { name, model, custom, apiKey, variables }: TransportSetting,
  carrier: Readonly<Record<string, unknown>>,
): Engine {
  const loaded = loadEngineConfig({ engine: { name, model, custom: { ...custom, ...carrier } } }, { env: variables });
  if (loaded.custom === undefined) throw new TypeError("The engine is not a custom one.");
  return createCustomEngine(loaded.custom, { apiKey });
}

/** A map, or an empty one in place of anything else. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
