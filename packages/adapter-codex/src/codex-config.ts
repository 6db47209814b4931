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
    reader.problem("writable_roots", `it belongs to the sandbox workspace-write and not to ${sandbox}`);
  }
  return {
    ...{ sandbox, networkAccess, writableRoots, model: reader.text("model"), effort: reader.text("effort") },
    approvalPolicy: reader.choice("approval_policy", APPROVAL_POLICIES) ?? "never",
    trustProject: reader.flag("trust_project"),
  };
}
