import type { ToolArguments } from "@switchyard/contracts";
import type { NativeTools } from "./native-tool.ts";

/** Default wait of the TaskOutput tool, in milliseconds. */
const TASK_OUTPUT_WAIT_MS = 30_000;

/** Converts arguments of Claude Code's Grep tool, whose default output is a list of paths. */
function toGrep({ "-A": after, "-B": before, "-n": _, ...args }: ToolArguments): ToolArguments {
  return {
    ...args,
    output_mode: args["output_mode"] ?? "files_with_matches",
    ...(before === undefined ? {} : { lines_before: before }),
    ...(after === undefined ? {} : { lines_behind: after }),
  };
}

function toShellOutput({ block, ...args }: ToolArguments): ToolArguments {
  return { ...args, wait_ms: block === false ? 0 : (args["wait_ms"] ?? TASK_OUTPUT_WAIT_MS) };
}

/**
 * Names, descriptions and parameters of Claude Code's tools, by canonical tool name. Tools that are not listed have no
 * counterpart in Claude Code. See loop: §3.5.
 */
export const ANTHROPIC_TOOLS: NativeTools = {
  read_file: { name: "Read" },
  write_file: { name: "Write" },
  edit_file: { name: "Edit" },
  shell: {
    name: "Bash",
    parameters: { timeout_ms: "timeout", background: "run_in_background" },
    hidden: ["cwd"],
    description: "Run a bash command in the working directory. Returns its output and exit code.",
  },
  shell_output: {
    name: "TaskOutput",
    parameters: { id: "task_id", wait_ms: "timeout" },
    further: { block: { type: "boolean", description: "Whether to wait for the command to end (default true)." } },
    convert: toShellOutput,
  },
  shell_kill: { name: "TaskStop", parameters: { id: "task_id" } },
  grep: {
    name: "Grep",
    parameters: { glob_filter: "glob", case_insensitive: "-i", context_lines: "-C", max_results: "head_limit" },
    further: {
      output_mode: {
        type: "string",
        enum: ["content", "files_with_matches", "count"],
        description: "content: matching lines; files_with_matches: paths only (default); count: matches per file.",
      },
      "-A": { type: "integer", minimum: 0, description: "Lines shown behind each match." },
      "-B": { type: "integer", minimum: 0, description: "Lines shown before each match." },
      "-n": { type: "boolean", description: "Line numbers; they are always shown." },
    },
    convert: toGrep,
  },
  glob: { name: "Glob" },
  web_fetch: {
    name: "WebFetch",
    further: { prompt: { type: "string", description: "What you want to know from the page." } },
    convert: ({ prompt: _, ...args }) => args,
  },
  web_search: { name: "WebSearch" },
  spawn_agent: { name: "Agent", parameters: { task: "prompt" } },
  skill: { name: "Skill", parameters: { name: "skill" } },
};
