import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Readiness of an engine, as `examineEngine` of `@switchyard/engine-catalog` finds it. */
export interface EngineReadiness {
  /** Name of the engine. */
  readonly name: string;
  /** Whether the engine can be used. */
  readonly ok: boolean;
  /** Whether the command of the engine is installed. */
  readonly isInstalled: boolean;
  /** Command of the engine. */
  readonly command?: string | undefined;
  /** Version of the command. */
  readonly version?: string | undefined;
  /** Whether the engine has credentials. */
  readonly signedIn: "yes" | "no" | "unknown";
  /** Name of the variable or file with the credentials. */
  readonly signedInBy?: string | undefined;
  /** Features of the engine: whether it reports tokens, resumes sessions and supports MCP servers, and its tools. */
  readonly features?:
    | { readonly usage: string; readonly resume: string; readonly mcp: boolean; readonly permissions: string }
    | undefined;
  /** How the engine reaches models. */
  readonly modelAccess?: string | undefined;
  /** Steps that make the engine ready, one sentence each. */
  readonly fixes: readonly string[];
}

/** Renders the readiness of an engine as lines: its state, its features, and what to do to make it ready. */
export function renderEngineReadiness(engine: EngineReadiness, output: Pick<TextOutput, "hasColour">): string[] {
  const colours = picocolors.createColors(output.hasColour);
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
  const details = neutraliseControls(facts.filter((fact) => fact !== "").join(", "));
  const head = `${neutraliseControls(name)}  ${state}  ${details}`.trimEnd();
  const access = modelAccess === undefined ? [] : [`model access: ${modelAccess}`];
  const more = [...(features === undefined ? [] : [describe(features)]), ...access, ...fixes];
  return [head, ...more.map((line) => `  ${neutraliseControls(line)}`)];
}

function describe({ usage, resume, mcp, permissions }: NonNullable<EngineReadiness["features"]>): string {
  const tokens = usage === "none" ? "reports no tokens" : "reports tokens";
  const sessions = resume === "none" ? "starts new sessions only" : "resumes sessions";
  return `${tokens}; ${sessions}; ${mcp ? "supports MCP servers" : "no MCP servers"}; tools: ${permissions}`;
}
