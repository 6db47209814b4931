import { type EnvironmentReadiness, environmentReadiness } from "@switchyard/environment";
import { renderEnvironmentReadiness, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { ENVIRONMENT_KINDS, type EnvironmentKind } from "./environment-kinds.ts";

/** Options of the command `doctor`. */
export interface DoctorOptions {
  /** Environments named on the command line. Empty: all. */
  environments: readonly EnvironmentKind[];
  /** Whether to print the findings as JSON. */
  json?: boolean;
}

/** Readiness of an environment. */
interface Examined extends Omit<EnvironmentReadiness, "type"> {
  readonly name: EnvironmentKind;
}

/**
 * Prints what each environment needs and lacks. Resolves with exit code 0, or 1 if an environment named on the command
 * line is not ready.
 */
export async function checkEnvironments(
  context: CommandContext,
  { environments, json }: DoctorOptions,
): Promise<number> {
  const names = environments.length === 0 ? ENVIRONMENT_KINDS : [...new Set(environments)];
  const examined = await Promise.all(names.map((name) => examine(name, context)));
  const lines =
    json === true ? [toPlainJson({ environments: examined })] : renderEnvironmentReadiness(examined, context.stdout);
  context.stdout.write(`${lines.join("\n")}\n`);
  return environments.length > 0 && examined.some(({ ok }) => !ok) ? 1 : 0;
}

async function examine(name: EnvironmentKind, { env }: CommandContext): Promise<Examined> {
  const { type: _, ...findings } = await environmentReadiness(name === "k8s" ? "kubernetes" : name, env);
  return { name, ...findings };
}
