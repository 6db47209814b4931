import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Readiness of an environment, as `environmentReadiness` of `@switchyard/environment` finds it. */
export interface EnvironmentState {
  /** Name of the environment. */
  readonly name: string;
  /** Whether the environment can be used. */
  readonly ok: boolean;
  /** What was found, such as the version of a container engine. */
  readonly found: readonly string[];
  /** What is missing, with the command that installs it on each system. */
  readonly missing: readonly {
    readonly problem: string;
    readonly install: readonly { readonly system: string; readonly command: string }[];
  }[];
}

/** Renders the readiness of environments as lines: the state of each, and how to install what it lacks. */
export function renderEnvironmentReadiness(
  environments: readonly EnvironmentState[],
  output: Pick<TextOutput, "hasColour">,
): string[] {
  const colours = picocolors.createColors(output.hasColour);
  const width = Math.max(0, ...environments.map(({ name }) => name.length));
  return environments.flatMap(({ name, ok, found, missing }) => {
    const state = ok ? colours.green("ready  ") : colours.yellow("missing");
    const heading = `${name.padEnd(width)}  ${state}  ${found.map(neutraliseControls).join(", ")}`.trimEnd();
    return [heading, ...missing.flatMap(renderMissing).map((line) => `  ${line}`)];
  });
}

function renderMissing({ problem, install }: EnvironmentState["missing"][number]): string[] {
  const ways = install.map(({ system, command }) => `  ${system}: ${command}`);
  return [`${neutraliseControls(problem).replace(/[.]?$/, ways.length === 0 ? "." : ":")}`, ...ways];
}
