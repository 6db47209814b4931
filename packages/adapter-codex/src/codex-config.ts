import type { ConfigReader } from "@switchyard/adapter-kit";

const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;
/** Requests that the last two lead to are declined, and the turn goes on: nobody is waited for. */
const APPROVAL_POLICIES = ["never", "on-request", "untrusted"] as const;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/u;

/** What the block `codex` says. */
export interface CodexConfig {
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly sandbox: (typeof SANDBOXES)[number];
  readonly approvalPolicy: (typeof APPROVAL_POLICIES)[number];
  /** Whether commands in the sandbox reach the network. */
  readonly networkAccess: boolean;
  /** Folders beside the workspace that may be written to. */
  readonly writableRoots: readonly string[];
  /** Whether settings of the workspace count. */
  readonly trustProject: boolean;
}

/** Reads the block; without settings commands write to the workspace alone and have no network. agent-adapter: surface capabilities. */
export function readCodexConfig(reader: ConfigReader): CodexConfig {
  const sandbox = reader.choice("sandbox", SANDBOXES) ?? "workspace-write";
  const networkAccess = reader.flag("network_access");
  const writableRoots = reader.texts("writable_roots");
  const relative = writableRoots.find((root) => !ABSOLUTE.test(root));
  if (relative !== undefined) reader.problem("writable_roots", `${relative} is not an absolute path`);
  if (networkAccess && sandbox === "danger-full-access") {
    reader.problem("network_access", "without a sandbox there is nothing to allow");
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
