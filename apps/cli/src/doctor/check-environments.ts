import { type EnvironmentReadiness, environmentReadiness, type MissingPart } from "@switchyard/environment";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import picocolors from "picocolors";
import type { CommandContext } from "../context/command-context.ts";
import { ENVIRONMENT_KINDS, type EnvironmentKind } from "./environment-kinds.ts";

/** Options of the command `doctor`. */
export interface DoctorOptions {
  /** Environments named on the command line. Empty: all. */
  places: readonly EnvironmentKind[];
  /** Whether to print the findings as JSON. */
  json?: boolean;
}

/** Readiness of an environment. */
interface Examined extends Omit<EnvironmentReadiness, "type"> {
  readonly place: EnvironmentKind;
}

/**
 * Prints what each environment needs and lacks. Resolves with exit code 0, or 1 if an environment named on the command
 * line is not ready.
 */
export async function checkEnvironments(context: CommandContext, { places, json }: DoctorOptions): Promise<number> {
  const names = places.length === 0 ? ENVIRONMENT_KINDS : [...new Set(places)];
  const examined = await Promise.all(names.map((name) => examine(name, context)));
  const lines = json === true ? [toPlainJson({ places: examined })] : renderEnvironments(context, examined);
  context.stdout.write(`${lines.join("\n")}\n`);
  return places.length > 0 && examined.some(({ ok }) => !ok) ? 1 : 0;
}

async function examine(place: EnvironmentKind, { env }: CommandContext): Promise<Examined> {
  const { type: _, ...findings } = await environmentReadiness(place === "k8s" ? "kubernetes" : place, env);
  return { place, ...findings };
}

function renderEnvironments({ stdout }: CommandContext, examined: readonly Examined[]): string[] {
  const colours = picocolors.createColors(stdout.hasColour);
  const width = Math.max(...examined.map(({ place }) => place.length));
  return examined.flatMap(({ place, ok, found, missing }) => {
    const state = ok ? colours.green("ready  ") : colours.yellow("missing");
    const heading = `${place.padEnd(width)}  ${state}  ${found.map(neutraliseControls).join(", ")}`.trimEnd();
    return [heading, ...missing.flatMap(renderMissing).map((line) => `  ${line}`)];
  });
}

function renderMissing({ problem, install }: MissingPart): string[] {
  const ways = install.map(({ system, command }) => `  ${system}: ${command}`);
  return [`${neutraliseControls(problem).replace(/[.]?$/, ways.length === 0 ? "." : ":")}`, ...ways];
}
