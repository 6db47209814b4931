import type { AdapterKind, AgentFindings } from "@switchyard/adapter-kit";
import { errorText, toEngineError } from "@switchyard/contracts";
import type { AdapterCatalog } from "@switchyard/extensions";
import { AGENT_ENGINE } from "@switchyard/runner";
import { credentialsFile } from "../engine/credentials-file.ts";

/** Readiness of an engine. */
export interface ExaminedEngine {
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
  /** Features of the engine. */
  readonly features?: AgentFindings["capabilities"] | undefined;
  /**
   * How the engine reaches models: `gateway`, or `direct` with a reason. `undefined` if the engine cannot be loaded.
   */
  readonly modelAccess?: string | undefined;
  /** Steps that make the engine ready, one sentence each. */
  readonly fixes: readonly string[];
}

/** Options for `examineEngine`. */
export interface ExamineEngineOptions {
  /** Adapters that can be examined. */
  readonly catalog: AdapterCatalog<AdapterKind>;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user, in which agents store their credentials. */
  readonly home: string;
}

/** Environment variables with keys for the built-in agent's models. */
const MODEL_KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] as const;

/**
 * Checks whether an engine is installed and has credentials. Runs the command of a third-party agent to read its
 * version, but contacts no model. Never rejects: an error becomes an entry in `fixes`.
 */
export async function examineEngine(name: string, options: ExamineEngineOptions): Promise<ExaminedEngine> {
  if (name === AGENT_ENGINE) return examineAgentEngine(options);
  try {
    const found = await findingsOf(name, options);
    const { openAdapterAccess } = await import("../adapter/adapter-access.ts");
    const kind = await options.catalog.load(name);
    const { env, home: homeDirectory } = options;
    const file = credentialsFile({ env, homeDirectory });
    const { description: modelAccess } = await openAdapterAccess(kind, { env, credentialsFile: file, block: {} });
    const { ok, isInstalled, command, version, authentication, capabilities: features, fixes } = found;
    return {
      ...{ name, ok, isInstalled, command },
      ...(version === undefined ? {} : { version }),
      ...{
        signedIn: authentication.state,
        ...(authentication.by === undefined ? {} : { signedInBy: authentication.by }),
      },
      ...{ features, modelAccess, fixes },
    };
  } catch (error) {
    return { name, ok: false, isInstalled: false, signedIn: "unknown", fixes: [errorText(toEngineError(error))] };
  }
}

async function findingsOf(name: string, { catalog, env, home: root }: ExamineEngineOptions): Promise<AgentFindings> {
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
  await using home = await openLocalEnvironment({ root, env });
  return await examineAgent(kind, { home, variables: Object.fromEntries(set) });
}

function examineAgentEngine({ env }: ExamineEngineOptions): ExaminedEngine {
  const by = MODEL_KEYS.find((name) => (env[name] ?? "") !== "");
  const fixes =
    by === undefined
      ? [`For model access, set ${MODEL_KEYS.join(" or ")}, or name the base URL of a server that needs no key`]
      : [];
  return {
    ...{ name: AGENT_ENGINE, ok: true, isInstalled: true, signedIn: by === undefined ? "unknown" : "yes", fixes },
    modelAccess: "direct (the agent calls models from this process)",
    ...(by === undefined ? {} : { signedInBy: by }),
  };
}
