import type { OutputLimits, RegisteredTool } from "@switchyard/contracts";

/** loop §5.2 and §5.3, decision 9: what each tool may return to the model. */
export const DEFAULT_OUTPUT_LIMITS: Readonly<Record<string, OutputLimits>> = {
  read_file: { maxChars: 50_000, mode: "head_tail" },
  read_many_files: { maxChars: 50_000, mode: "head_tail" },
  shell: { maxChars: 30_000, mode: "head_tail", maxLines: 256 },
  grep: { maxChars: 20_000, mode: "tail", maxLines: 200 },
  glob: { maxChars: 20_000, mode: "head", maxLines: 500 },
  list_dir: { maxChars: 20_000, mode: "head", maxLines: 500 },
  edit_file: { maxChars: 10_000, mode: "tail" },
  apply_patch: { maxChars: 10_000, mode: "tail" },
  write_file: { maxChars: 1_000, mode: "tail" },
  spawn_agent: { maxChars: 20_000, mode: "head_tail" },
};

/** How the output of a tool is cut that is in no table. */
const FALLBACK_OUTPUT_LIMITS: OutputLimits = { maxChars: 30_000, mode: "head_tail" };

/** The host's overrides, by tool name. */
export interface OutputLimitOverrides {
  /** Characters; 0 means no limit. loop: SessionConfig.tool_output_limits. */
  readonly toolOutputLimits?: Readonly<Record<string, number>> | undefined;
  /** Lines; 0 means no limit. loop: SessionConfig.tool_line_limits. */
  readonly toolLineLimits?: Readonly<Record<string, number>> | undefined;
}

/** What the host says of a tool, by the name it is called or its own. */
function overrideOf(
  record: Readonly<Record<string, number>> | undefined,
  toolName: string,
  canonicalName: string | undefined,
): number | undefined {
  if (record === undefined) return undefined;
  if (Object.hasOwn(record, toolName)) return record[toolName];
  return canonicalName !== undefined && Object.hasOwn(record, canonicalName) ? record[canonicalName] : undefined;
}

/** The limits of a tool: the host's, by the name it is called or its own, else the tool's own, else the table's. */
export function outputLimitsOf(
  toolName: string,
  overrides: OutputLimitOverrides = {},
  tool: Pick<RegisteredTool, "outputLimits" | "canonicalName"> = {},
): OutputLimits {
  const table = Object.hasOwn(DEFAULT_OUTPUT_LIMITS, toolName) ? DEFAULT_OUTPUT_LIMITS[toolName] : undefined;
  const limits = tool.outputLimits ?? table ?? FALLBACK_OUTPUT_LIMITS;
  const maxChars = overrideOf(overrides.toolOutputLimits, toolName, tool.canonicalName);
  const maxLines = overrideOf(overrides.toolLineLimits, toolName, tool.canonicalName);
  if (maxChars === undefined && maxLines === undefined) return limits;
  return { maxChars: maxChars ?? limits.maxChars, mode: limits.mode, maxLines: maxLines ?? limits.maxLines };
}
