import type { AdapterKind, AgentFindings } from "@switchyard/adapter-kit";
import { closestWord, EngineError, toEngineError } from "@switchyard/contracts";
import type { AdapterCatalog } from "@switchyard/extensions";
import { AGENT_ENGINE } from "@switchyard/runner";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import picocolors from "picocolors";
import { assertTrusted, openAdapterCatalog } from "@switchyard/engine-catalog";
import type { CommandContext } from "../context/command-context.ts";
import type { EnginesOptions } from "./engines-options.ts";

/** Readiness of an engine, in its printed form. */
interface ExaminedEngine {
  readonly name: string;
  readonly ok: boolean;
  readonly isInstalled: boolean;
  readonly command?: string | undefined;
  readonly version?: string | undefined;
  readonly signedIn: "yes" | "no" | "unknown";
  /** Name of the variable or file with the credentials. */
  readonly signedInBy?: string | undefined;
  readonly features?: AgentFindings["capabilities"] | undefined;
  readonly fixes: readonly string[];
}

/** Environment variables with keys for the built-in agent's models. */
const MODEL_KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] as const;

/**
 * Prints what each engine needs and lacks. Resolves with exit code 0, or 1 if an engine named on the command line is
 * not ready.
 */
export async function examineEngines(
  context: CommandContext,
  { names, json, trustWorkspace }: EnginesOptions & { readonly names: readonly string[] },
): Promise<number> {
  const catalog = await openAdapterCatalog(context, trustWorkspace === true ? context.workingDirectory : undefined);
  const known = [AGENT_ENGINE, ...catalog.kinds];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    if (trustWorkspace !== true) await assertTrusted(context, unknown, context.workingDirectory);
    const meant = closestWord(unknown, known);
    const others = known.filter((name) => name !== meant);
    const first = meant === undefined ? [] : [`${meant} (did you mean this one?)`];
    throw new EngineError("engine.not_found", { engine: unknown, known: [...first, ...others] });
  }
  const wanted = names.length === 0 ? known : [...new Set(names)];
  const examined = await Promise.all(wanted.map((name) => examine(context, catalog, name)));
  const lines = json === true ? [toPlainJson({ engines: examined })] : examined.flatMap((one) => render(context, one));
  context.stdout.write(`${lines.join("\n")}\n`);
  return names.length > 0 && examined.some(({ ok }) => !ok) ? 1 : 0;
}

async function examine(
  context: CommandContext,
  catalog: AdapterCatalog<AdapterKind>,
  name: string,
): Promise<ExaminedEngine> {
  if (name === AGENT_ENGINE) return examineAgentEngine(context);
  try {
    const found = await findingsOf(context, catalog, name);
    const { ok, isInstalled, command, version, signIn, capabilities: features, fixes } = found;
    const signedIn = { signedIn: signIn.state, ...(signIn.by === undefined ? {} : { signedInBy: signIn.by }) };
    return {
      name,
      ok,
      isInstalled,
      command,
      ...(version === undefined ? {} : { version }),
      ...signedIn,
      features,
      fixes,
    };
  } catch (error) {
    const { message, remedy } = toEngineError(error);
    return { name, ok: false, isInstalled: false, signedIn: "unknown", fixes: [`${message} ${remedy}`] };
  }
}

async function findingsOf(
  { env, homeDirectory, temporaryDirectory }: CommandContext,
  catalog: AdapterCatalog<AdapterKind>,
  name: string,
): Promise<AgentFindings> {
  const [{ examineAgent }, { openLocalEnvironment }, { secret }] = await Promise.all([
    import("@switchyard/adapter-kit"),
    import("@switchyard/environment/local"),
    import("@switchyard/secrets"),
  ]);
  const kind = await catalog.load(name);
  const set = kind.variableNames({}).flatMap((variable) => {
    const value = env[variable] ?? "";
    return value === "" ? [] : [[variable, secret(value)] as const];
  });
  await using home = await openLocalEnvironment({ root: homeDirectory ?? temporaryDirectory, env });
  return await examineAgent(kind, { home, variables: Object.fromEntries(set) });
}

function examineAgentEngine({ env }: CommandContext): ExaminedEngine {
  const by = MODEL_KEYS.find((name) => (env[name] ?? "") !== "");
  const fixes = by === undefined ? [`For model access, set ${MODEL_KEYS.join(" or ")}, or use --base-url`] : [];
  return {
    ...{ name: AGENT_ENGINE, ok: true, isInstalled: true, signedIn: by === undefined ? "unknown" : "yes", fixes },
    ...(by === undefined ? {} : { signedInBy: by }),
  };
}

function render({ stdout }: CommandContext, engine: ExaminedEngine): string[] {
  const colours = picocolors.createColors(stdout.hasColour);
  const { name, ok, isInstalled, version, signedIn, signedInBy, features, fixes, command } = engine;
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
  const more = features === undefined ? [] : [`  ${describe(features)}`];
  return [head, ...[...more, ...fixes.map((fix) => `  ${fix}`)].map(neutraliseControls)];
}

function describe({ usage, resume, mcp, permissions }: AgentFindings["capabilities"]): string {
  const tokens = usage === "none" ? "reports no tokens" : "reports tokens";
  const goesOn = resume === "none" ? "starts new sessions only" : "resumes sessions";
  return `${tokens}; ${goesOn}; ${mcp ? "supports MCP servers" : "no MCP servers"}; tools: ${permissions}`;
}
