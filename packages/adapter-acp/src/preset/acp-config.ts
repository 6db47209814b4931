import type { ConfigReader } from "@switchyard/adapter-kit";

/** Kinds of tools, as the protocol knows them. */
export const TOOL_KINDS: readonly string[] = [
  ...["read", "edit", "delete", "move", "search", "execute"],
  ...["think", "fetch", "switch_mode", "other"],
];

/** What the block of such an adapter says. */
export interface AcpConfig {
  readonly model?: string | undefined;
  /** Whether the agent is told of the model when it is started, in place of by the protocol. */
  readonly isModelFlagged: boolean;
  /** Mode of the session, by the id that the agent gives it. */
  readonly mode?: string | undefined;
  /** Way to sign in, by the id that the agent gives it. */
  readonly authMethod?: string | undefined;
  /** Kinds of tools that may be used when the agent asks. */
  readonly allowedKinds: ReadonlySet<string>;
  readonly trustAllTools: boolean;
  /** Whether the agent may take the workspace for trusted. */
  readonly trustProject: boolean;
  /** Whether it writes no files through us. */
  readonly isReadOnly: boolean;
}

/** Reads the block; without settings every permission is refused. agent-adapter: surface capabilities. */
export function readAcpConfig(reader: ConfigReader): AcpConfig {
  reader.exclude("trust_all_tools", "allowed_kinds");
  reader.exclude("trust_all_tools", "read_only");
  const allowed = reader.texts("allowed_kinds");
  const unknown = allowed.find((kind) => !TOOL_KINDS.includes(kind));
  if (unknown !== undefined) reader.problem("allowed_kinds", `${unknown} is not one of ${TOOL_KINDS.join(", ")}`);
  return {
    ...{ model: reader.text("model"), mode: reader.text("mode"), authMethod: reader.text("auth_method") },
    ...{ allowedKinds: new Set(allowed), trustAllTools: reader.flag("trust_all_tools") },
    ...{ trustProject: reader.flag("trust_project"), isModelFlagged: false },
    isReadOnly: reader.flag("read_only"),
  };
}
