import type { ConfigReader } from "@switchyard/adapter-kit";

const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;
/**
 * With `on-request` and `untrusted`, `codex` requests approvals. The user decides about them. Without a user, they are
 * declined, and the turn continues without waiting.
 */
const APPROVAL_POLICIES = ["never", "on-request", "untrusted"] as const;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/u;

/** Configuration block `codex`. */
export interface CodexConfig {
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  /** Address of a server with OpenAI's Responses API. `undefined`: the provider in Codex's own settings. */
  readonly baseUrl?: string | undefined;
  /**
   * Name of the environment variable that contains the API key for the server at `baseUrl`. `undefined`: Codex sends no
   * key.
   */
  readonly apiKeyEnv?: string | undefined;
  readonly sandbox: (typeof SANDBOXES)[number];
  readonly approvalPolicy: (typeof APPROVAL_POLICIES)[number];
  /** True if sandboxed commands can access the network. */
  readonly networkAccess: boolean;
  /** Writable folders in addition to the workspace. */
  readonly writableRoots: readonly string[];
  /** True if `codex` uses settings that are stored in the workspace. */
  readonly trustProject: boolean;
}

/**
 * Reads the configuration block. By default, commands write only to the workspace and have no network. See
 * agent-adapter: surface capabilities.
 */
export function readCodexConfig(reader: ConfigReader): CodexConfig {
  const sandbox = reader.choice("sandbox", SANDBOXES) ?? "workspace-write";
  const networkAccess = reader.flag("network_access");
  const writableRoots = reader.texts("writable_roots");
  const relative = writableRoots.find((root) => !ABSOLUTE.test(root));
  if (relative !== undefined) reader.problem("writable_roots", `${relative} is not an absolute path`);
  if (networkAccess && sandbox === "danger-full-access") {
    reader.problem("network_access", "without a sandbox, nothing is restricted");
  }
  if (writableRoots.length > 0 && sandbox !== "workspace-write") {
    reader.problem("writable_roots", `it applies only to the sandbox workspace-write, not to ${sandbox}`);
  }
  const [baseUrl, apiKeyEnv] = [reader.text("base_url"), reader.text("api_key_env")];
  if (baseUrl !== undefined && !isAddress(baseUrl)) {
    reader.problem("base_url", "it is not an http or https address without a user name");
  }
  if (apiKeyEnv !== undefined && baseUrl === undefined)
    reader.problem("api_key_env", "it has an effect only with base_url");
  return {
    ...{ baseUrl, apiKeyEnv },
    ...{ sandbox, networkAccess, writableRoots, model: reader.text("model"), effort: reader.text("effort") },
    approvalPolicy: reader.choice("approval_policy", APPROVAL_POLICIES) ?? "never",
    trustProject: reader.flag("trust_project"),
  };
}

/**
 * Returns true if a text is an HTTP or HTTPS address without a user name or password. Such credentials are not allowed,
 * because the address is passed as a command-line argument, which other users can read.
 */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
