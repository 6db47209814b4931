import { examineEngines as examine } from "@switchyard/engine-catalog";
import { renderEngineReadiness, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { engineHostOf } from "../engine/open-engine.ts";
import type { EnginesOptions } from "./engines-options.ts";

/**
 * Prints what each engine needs and lacks. Resolves with exit code 0, or 1 if an engine named on the command line is
 * not ready.
 */
export async function examineEngines(
  context: CommandContext,
  { names, json, trustWorkspace }: EnginesOptions & { readonly names: readonly string[] },
): Promise<number> {
  const { stdout, homeDirectory: home = context.temporaryDirectory } = context;
  const trustedProject = trustWorkspace === true ? context.workingDirectory : undefined;
  const engines = await examine(engineHostOf(context), { names, home, trustedProject });
  const lines =
    json === true ? [toPlainJson({ engines })] : engines.flatMap((engine) => renderEngineReadiness(engine, stdout));
  stdout.write(`${lines.join("\n")}\n`);
  return names.length > 0 && engines.some(({ ok }) => !ok) ? 1 : 0;
}
