import { AGENT_ENGINE } from "@switchyard/runner";
import { assertTrusted, openAdapterCatalog } from "../adapter/adapter-catalog.ts";
import type { EngineHost } from "../engine/engine-host.ts";
import { unknownEngine } from "../engine/unknown-engine.ts";
import { type ExaminedEngine, examineEngine } from "./examine-engine.ts";

/** Options of `examineEngines`. */
export interface ExamineEnginesOptions {
  /** Names of the engines. Empty: all. */
  readonly names: readonly string[];
  /** Folder of a trusted project whose adapter packages are included. Default: only the bundled adapters. */
  readonly trustedProject?: string | undefined;
  /** Home folder of the user, in which agents store their credentials. */
  readonly home: string;
}

/**
 * Checks whether engines are installed and have credentials, as {@link examineEngine} does. Rejects with
 * `engine.not_found`, or `engine.not_trusted` for an engine of a package that is not trusted.
 */
export async function examineEngines(
  host: EngineHost,
  { names, trustedProject, home }: ExamineEnginesOptions,
): Promise<ExaminedEngine[]> {
  const catalog = await openAdapterCatalog(host, trustedProject);
  const known = [AGENT_ENGINE, ...catalog.kinds];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    if (trustedProject === undefined) await assertTrusted(host, unknown, host.workingDirectory);
    throw unknownEngine(unknown, known);
  }
  const wanted = names.length === 0 ? known : [...new Set(names)];
  return Promise.all(wanted.map((name) => examineEngine(name, { catalog, env: host.env, home })));
}
