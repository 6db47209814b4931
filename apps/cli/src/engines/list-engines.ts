import { openAdapterCatalog } from "@switchyard/engine-catalog";
import { AGENT_ENGINE } from "@switchyard/runner";
import { renderTable, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { engineHostOf } from "../engine/open-engine.ts";
import type { EnginesOptions } from "./engines-options.ts";

/** Prints the available engines, without starting or loading any. Resolves with exit code 0. */
export async function listEngines(context: CommandContext, { json, trustWorkspace }: EnginesOptions): Promise<number> {
  const project = trustWorkspace === true ? context.workingDirectory : undefined;
  const { entries } = await openAdapterCatalog(engineHostOf(context), project);
  const engines = [
    { name: AGENT_ENGINE, source: "the built-in agent", isInstalled: true },
    ...entries.map(({ kind, packageName, isInstalled }) => ({
      name: kind,
      source: packageName ?? "built-in adapter",
      isInstalled,
    })),
  ];
  const rows = engines.map(({ name, source, isInstalled }) => [
    name,
    `${source}${isInstalled ? "" : " (not installed: npm install)"}`,
  ]);
  const lines = json === true ? [toPlainJson({ engines })] : renderTable(rows);
  context.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}
