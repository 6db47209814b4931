import { assertTrusted, examineEngine, openAdapterCatalog, unknownEngine } from "@switchyard/engine-catalog";
import { AGENT_ENGINE } from "@switchyard/runner";
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
  const catalog = await openAdapterCatalog(
    engineHostOf(context),
    trustWorkspace === true ? context.workingDirectory : undefined,
  );
  const known = [AGENT_ENGINE, ...catalog.kinds];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    if (trustWorkspace !== true) await assertTrusted(engineHostOf(context), unknown, context.workingDirectory);
    throw unknownEngine(unknown, known);
  }
  const wanted = names.length === 0 ? known : [...new Set(names)];
  const { env, homeDirectory: home = context.temporaryDirectory } = context;
  const examined = await Promise.all(wanted.map((name) => examineEngine(name, { catalog, env, home })));
  const lines =
    json === true
      ? [toPlainJson({ engines: examined })]
      : examined.flatMap((one) => renderEngineReadiness(one, context.stdout));
  context.stdout.write(`${lines.join("\n")}\n`);
  return names.length > 0 && examined.some(({ ok }) => !ok) ? 1 : 0;
}
