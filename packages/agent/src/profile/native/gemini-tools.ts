import type { ToolArguments } from "@switchyard/contracts";
import type { NativeTools } from "./native-tool.ts";

/** Converts a line range: from first and last line to first line and number of lines. */
function toWindow({ end_line: end, ...args }: ToolArguments): ToolArguments {
  if (typeof end !== "number") return args;
  const first = typeof args["offset"] === "number" ? args["offset"] : 1;
  return { ...args, limit: Math.max(1, end - first + 1) };
}

/** Converts arguments of gemini-cli's search tool, which ignores case by default. */
function toGrep({ case_sensitive: isSensitive, names_only: isNamesOnly, ...args }: ToolArguments): ToolArguments {
  return {
    ...args,
    case_insensitive: isSensitive !== true,
    ...(isNamesOnly === true ? { output_mode: "files_with_matches" } : {}),
  };
}

/** Extracts the first URL of a prompt, because gemini-cli's tool takes a prompt instead of a URL. */
function toFetch({ prompt, ...args }: ToolArguments): ToolArguments {
  const [url] = (typeof prompt === "string" ? prompt : "").match(/https?:\/\/[^\s<>"'`]+/i) ?? [];
  return { ...args, url: url?.replace(/[.,;:!?)\]]+$/, "") ?? "" };
}

/**
 * Names, descriptions and parameters of gemini-cli's tools. Tools that are not listed have the same name in gemini-cli,
 * or no counterpart. See loop: §3.6.
 */
export const GEMINI_TOOLS: NativeTools = {
  read_file: {
    name: "read_file",
    parameters: { offset: "start_line" },
    hidden: ["limit"],
    further: { end_line: { type: "integer", minimum: 1, description: "1-based number of the last line to read." } },
    convert: toWindow,
  },
  read_many_files: { name: "read_many_files", parameters: { paths: "include" } },
  edit_file: {
    name: "replace",
    parameters: { replace_all: "allow_multiple" },
    further: { instruction: { type: "string", description: "What the change is for, in a sentence." } },
    convert: ({ instruction: _, ...args }) => args,
  },
  shell: {
    name: "run_shell_command",
    parameters: { cwd: "dir_path", background: "is_background" },
  },
  shell_output: { name: "read_background_output" },
  grep: {
    name: "grep_search",
    parameters: { path: "dir_path", glob_filter: "include_pattern", max_results: "total_max_matches" },
    hidden: ["case_insensitive"],
    further: {
      case_sensitive: { type: "boolean", description: "Mind upper and lower case (default false)." },
      names_only: { type: "boolean", description: "Return only the paths of the files (default false)." },
    },
    convert: toGrep,
  },
  glob: { name: "glob", parameters: { path: "dir_path" } },
  list_dir: { name: "list_directory", parameters: { path: "dir_path" } },
  web_fetch: {
    name: "web_fetch",
    description: "Fetch a page of the web and return it as text. The prompt must have the address in it.",
    hidden: ["url"],
    further: { prompt: { type: "string", minLength: 1, description: "What to fetch, with the address of the page." } },
    required: ["prompt"],
    convert: toFetch,
  },
  web_search: { name: "google_web_search" },
  spawn_agent: { name: "invoke_agent", parameters: { task: "prompt" } },
  skill: { name: "activate_skill" },
};
