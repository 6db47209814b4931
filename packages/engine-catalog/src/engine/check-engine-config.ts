import { EngineError } from "@switchyard/contracts";
import { assertTrusted, openAdapterCatalog } from "../adapter/adapter-catalog.ts";
import type { EngineHost } from "./engine-host.ts";

/**
 * Validates an engine configuration: of an adapter, a custom engine or the built-in agent. Resolves references to
 * environment variables, so that an unset variable is reported here rather than during a run. `project` is a trusted
 * folder whose packages may contain adapters. Resolves with the problems; empty if the configuration is valid. Rejects
 * with `engine.not_trusted`, `adapter.*` and `config.malformed`.
 */
export async function checkEngineConfig(
  host: EngineHost,
  data: unknown,
  project: string | undefined,
): Promise<readonly string[]> {
  const [{ loadEngineConfig }, { AGENT_ENGINE }] = await Promise.all([
    import("@switchyard/custom-engine"),
    import("@switchyard/runner"),
  ]);
  try {
    if (await isValidAdapter(host, data, project)) return [];
    const { warnings } = loadEngineConfig(data, { env: host.env, builtIn: [AGENT_ENGINE] });
    warnings.forEach(host.onWarning);
    return [];
  } catch (error) {
    if (EngineError.is(error, "config.invalid")) return [error.message];
    if (!EngineError.is(error, "config.invalid_engine")) throw error;
    return String(error.details["problems"]).split("\n");
  }
}

/**
 * Returns whether data is the configuration of an adapter. Throws `config.invalid` if the adapter cannot be created
 * from the configuration.
 */
async function isValidAdapter(host: EngineHost, data: unknown, project: string | undefined): Promise<boolean> {
  const { adapterBlockOf } = await import("@switchyard/runner");
  const catalog = await openAdapterCatalog(host, project);
  const found = adapterBlockOf(data, { kinds: catalog.kinds });
  if (found === undefined) {
    const name = engineNameOf(data);
    if (project === undefined && name !== undefined) await assertTrusted(host, name, host.workingDirectory);
    return false;
  }
  (await catalog.load(found.kind)).create(found.block);
  return true;
}

/**
 * Returns the engine name in an adapter's configuration. `undefined` for a custom engine, whose `name` does not select
 * an adapter.
 */
function engineNameOf(data: unknown): string | undefined {
  const outer = Object(data);
  const engine: unknown = Reflect.get(outer, "engine") ?? outer;
  const name: unknown = Reflect.get(Object(engine), "name");
  return typeof name === "string" && !Reflect.has(Object(engine), "custom") ? name : undefined;
}
