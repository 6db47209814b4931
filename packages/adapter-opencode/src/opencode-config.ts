import type { ConfigReader } from "@switchyard/adapter-kit";

/** Tools that read and plan without changing anything. */
const READING_TOOLS = ["read", "glob", "grep", "list", "todoread", "todowrite"] as const;

/** Configuration block `opencode`. */
export interface OpencodeConfig {
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
  readonly variant?: string | undefined;
  /** Base URL of the model provider's API. */
  readonly baseUrl?: string | undefined;
  /** Name of the environment variable that contains the API key of the model's provider. */
  readonly apiKeyEnv?: string | undefined;
  /** True to emit the model's reasoning. */
  readonly thinking: boolean;
  /** True to disable external plugins; only for releases before 2. */
  readonly pure: boolean;
  readonly disableAutocompact: boolean;
  readonly trustProject: boolean;
  /** Permission for each tool or tool pattern. A later entry takes precedence over an earlier one. */
  readonly permission: Readonly<Record<string, "allow" | "deny">>;
}

/**
 * Reads the adapter's configuration block. By default, only read-only tools are allowed. See agent-adapter: surface
 * capabilities.
 */
export function readOpencodeConfig(reader: ConfigReader): OpencodeConfig {
  const allowed = reader.texts("allowed_tools");
  const denied = reader.texts("denied_tools");
  reader.exclude("trust_all_tools", "allowed_tools");
  const both = allowed.find((tool) => denied.includes(tool));
  if (both !== undefined) reader.problem("allowed_tools", `${both} is in denied_tools as well`);
  for (const [name, tools] of [["allowed_tools", allowed] as const, ["denied_tools", denied] as const]) {
    if (tools.includes("*")) reader.problem(name, "name the tools; trust_all_tools stands for all of them");
  }
  const trustsAll = reader.flag("trust_all_tools");
  const named = allowed.length > 0 ? allowed : READING_TOOLS;
  return {
    ...{ model: reader.text("model"), agent: reader.text("agent"), variant: reader.text("variant") },
    ...{ thinking: reader.flag("thinking"), pure: reader.flag("pure"), trustProject: reader.flag("trust_project") },
    ...{ baseUrl: reader.text("base_url"), apiKeyEnv: reader.text("api_key_env") },
    disableAutocompact: reader.flag("disable_autocompact"),
    permission: {
      ...(trustsAll ? { "*": "allow" } : { "*": "deny", ...valuesOf(named, "allow") }),
      ...valuesOf(denied, "deny"),
      // Questions are denied, because no user can answer them.
      question: "deny",
    },
  };
}

function valuesOf<T extends string>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]));
}
