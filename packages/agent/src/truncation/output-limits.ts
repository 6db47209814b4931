import type { OutputLimits, RegisteredTool } from "@switchyard/contracts";

/** Default output limits, by tool name. See loop: §5.2 and §5.3, decision 9. */
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

/** Output limits of tools without default limits. */
const FALLBACK_OUTPUT_LIMITS: OutputLimits = { maxChars: 30_000, mode: "head_tail" };

/** Output limits that the host sets, by tool name. */
export interface OutputLimitOverrides {
  /** Maximum number of characters. 0: no limit. See loop: SessionConfig.tool_output_limits. */
  readonly toolOutputLimits?: Readonly<Record<string, number>> | undefined;
  /** Maximum number of lines. 0: no limit. See loop: SessionConfig.tool_line_limits. */
  readonly toolLineLimits?: Readonly<Record<string, number>> | undefined;
}

/**
 * Returns the output limit that the host set for a tool, under the name that the model sees or the tool's canonical
 * name.
 */
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
 * Returns the output limits of a tool. The host's overrides take precedence over the tool's limits, which take
 * precedence over the defaults.
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
