import type { ConfigReader } from "@switchyard/adapter-kit";

/** Tools that only read: what is trusted where nothing is said. */
const READ_ONLY: readonly string[] = ["read", "grep", "glob"];

/** What the block `kiro` says. */
export interface KiroConfig {
  readonly model?: string | undefined;
  /** Agent of the command's own configuration. */
  readonly agent?: string | undefined;
  readonly trustAllTools: boolean;
  /** Tools that are trusted, by the command's own names. */
  readonly trustTools: readonly string[];
}

/** Reads the block; without settings only what reads is trusted. agent-adapter: passthrough config. */
export function readKiroConfig(reader: ConfigReader): KiroConfig {
  reader.exclude("trust_all_tools", "trust_tools");
  const trustTools = reader.texts("trust_tools");
  const wrong = trustTools.find((tool) => tool.trim() === "" || tool.includes(","));
  if (wrong !== undefined) reader.problem("trust_tools", `${JSON.stringify(wrong)} is no name of a tool`);
  return {
    ...{ model: reader.text("model"), agent: reader.text("agent"), trustAllTools: reader.flag("trust_all_tools") },
    trustTools: trustTools.length === 0 ? READ_ONLY : trustTools,
  };
}
