import type { ConfigReader } from "@switchyard/adapter-kit";

/** Read-only tools, which are trusted by default. */
const READ_ONLY: readonly string[] = ["read", "grep", "glob"];

/** Configuration block `kiro`. */
export interface KiroConfig {
  readonly model?: string | undefined;
  /** Name of a custom agent that is defined in the configuration of `kiro-cli`. */
  readonly agent?: string | undefined;
  readonly trustAllTools: boolean;
  /** Trusted tools, as named by `kiro-cli`. */
  readonly trustTools: readonly string[];
}

/**
 * Reads the configuration block. By default, only read-only tools are trusted. See agent-adapter: passthrough config.
 */
export function readKiroConfig(reader: ConfigReader): KiroConfig {
  reader.exclude("trust_all_tools", "trust_tools");
  const trustTools = reader.texts("trust_tools");
  const wrong = trustTools.find((tool) => tool.trim() === "" || tool.includes(","));
  if (wrong !== undefined) reader.problem("trust_tools", `${JSON.stringify(wrong)} is not the name of a tool`);
  return {
    ...{ model: reader.text("model"), agent: reader.text("agent"), trustAllTools: reader.flag("trust_all_tools") },
    trustTools: trustTools.length === 0 ? READ_ONLY : trustTools,
  };
}
