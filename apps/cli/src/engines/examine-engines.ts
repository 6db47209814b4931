import {
  assertTrusted,
  type ExaminedEngine,
  examineEngine,
  openAdapterCatalog,
  unknownEngine,
} from "@switchyard/engine-catalog";
import { AGENT_ENGINE } from "@switchyard/runner";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import picocolors from "picocolors";
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
  const lines = json === true ? [toPlainJson({ engines: examined })] : examined.flatMap((one) => render(context, one));
  context.stdout.write(`${lines.join("\n")}\n`);
  return names.length > 0 && examined.some(({ ok }) => !ok) ? 1 : 0;
}

function render({ stdout }: CommandContext, engine: ExaminedEngine): string[] {
  const colours = picocolors.createColors(stdout.hasColour);
  const { name, ok, isInstalled, version, signedIn, signedInBy, features, fixes, command, modelAccess } = engine;
  const state = ok ? colours.green("ready") : colours.yellow("missing");
  const signs = {
    yes: `authenticated${signedInBy === undefined ? "" : ` (${signedInBy})`}`,
    no: "not authenticated",
    unknown: "",
  };
  const facts = [
    isInstalled ? (command ?? "") : "not installed",
    version === undefined ? "" : `version ${version}`,
    signs[signedIn],
  ];
  const told = neutraliseControls(facts.filter((fact) => fact !== "").join(", "));
  const head = `${neutraliseControls(name)}  ${state}  ${told}`.trimEnd();
  const access = modelAccess === undefined ? [] : [`  model access: ${modelAccess}`];
  const more = [...(features === undefined ? [] : [`  ${describe(features)}`]), ...access];
  return [head, ...[...more, ...fixes.map((fix) => `  ${fix}`)].map(neutraliseControls)];
}

function describe({ usage, resume, mcp, permissions }: NonNullable<ExaminedEngine["features"]>): string {
  const tokens = usage === "none" ? "reports no tokens" : "reports tokens";
  const goesOn = resume === "none" ? "starts new sessions only" : "resumes sessions";
  return `${tokens}; ${goesOn}; ${mcp ? "supports MCP servers" : "no MCP servers"}; tools: ${permissions}`;
}
