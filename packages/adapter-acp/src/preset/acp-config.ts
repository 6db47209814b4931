import type { ConfigReader } from "@switchyard/adapter-kit";
import type { ModelApi } from "@switchyard/contracts";

/** Wire formats that an agent may use. */
const MODEL_APIS: readonly ModelApi[] = ["anthropic-messages", "openai-responses", "openai-chat", "gemini"];

/** Tool kinds that the Agent Client Protocol defines. */
export const TOOL_KINDS: readonly string[] = [
  ...["read", "edit", "delete", "move", "search", "execute"],
  ...["think", "fetch", "switch_mode", "other"],
];

/** Configuration block of an ACP adapter. */
export interface AcpConfig {
  readonly model?: string | undefined;
  /** True if the model is passed as a flag instead of through the protocol. */
  readonly isModelFlagged: boolean;
  /** Session mode, as an id that the agent defines. */
  readonly mode?: string | undefined;
  /** Authentication method, as an id that the agent defines. */
  readonly authMethod?: string | undefined;
  /**
   * Wire format of the agent's model calls. Needed only for agents whose model calls are redirected with the
   * environment variables of a provider's client library.
   */
  readonly modelApi?: ModelApi | undefined;
  /** Tool kinds that are allowed when the agent asks for permission. */
  readonly allowedKinds: ReadonlySet<string>;
  readonly trustAllTools: boolean;
  /** True if the agent may trust the workspace. */
  readonly trustProject: boolean;
  /** True if the agent must not write files through the protocol. */
  readonly isReadOnly: boolean;
  /** True if the user decides about every file that the agent writes through the protocol. */
  readonly asksBeforeWrite: boolean;
}

/** Reads the configuration block. By default, every permission is denied. See agent-adapter: surface capabilities. */
export function readAcpConfig(reader: ConfigReader): AcpConfig {
  reader.exclude("trust_all_tools", "allowed_kinds");
  reader.exclude("trust_all_tools", "read_only");
  reader.exclude("trust_all_tools", "ask_before_write");
  reader.exclude("read_only", "ask_before_write");
  const allowed = reader.texts("allowed_kinds");
  const unknown = allowed.find((kind) => !TOOL_KINDS.includes(kind));
  if (unknown !== undefined) reader.problem("allowed_kinds", `${unknown} is not one of ${TOOL_KINDS.join(", ")}`);
  return {
    ...{ model: reader.text("model"), mode: reader.text("mode"), authMethod: reader.text("auth_method") },
    modelApi: reader.choice("model_api", MODEL_APIS),
    ...{ allowedKinds: new Set(allowed), trustAllTools: reader.flag("trust_all_tools") },
    ...{ trustProject: reader.flag("trust_project"), isModelFlagged: false },
    ...{ isReadOnly: reader.flag("read_only"), asksBeforeWrite: reader.flag("ask_before_write") },
  };
}
