import type { OutputLimits, RegisteredTool } from "@switchyard/contracts";

/** loop §5.2 and §5.3, decision 9: output limits by tool name. */
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

/** Output limits of tools that the table does not contain. */
const FALLBACK_OUTPUT_LIMITS: OutputLimits = { maxChars: 30_000, mode: "head_tail" };

/** The host's overrides, by tool name. */
export interface OutputLimitOverrides {
  /** Maximum number of characters. 0: no limit. loop: SessionConfig.tool_output_limits. */
  readonly toolOutputLimits?: Readonly<Record<string, number>> | undefined;
  /** Maximum number of lines. 0: no limit. loop: SessionConfig.tool_line_limits. */
  readonly toolLineLimits?: Readonly<Record<string, number>> | undefined;
}

/** Returns the host's override for a tool, by its exposed or own name. */
function overrideOf(
  record: Readonly<Record<string, number>> | undefined,
  toolName: string,
  canonicalName: string | undefined,
): number | undefined {
  if (record === undefined) return undefined;
  if (Object.hasOwn(record, toolName)) return record[toolName];
  return canonicalName !== undefined && Object.hasOwn(record, canonicalName) ? record[canonicalName] : undefined;
}

/**
 * Returns the limits of a tool: the host's by its exposed or own name, otherwise the tool's own, otherwise the table's.
 */
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
