import type { NativeTools } from "./native-tool.ts";

/**
 * Names, descriptions and parameters of Codex's tools. Tools that are not listed have the same name in Codex, or no
 * counterpart. See loop: §3.4.
 */
export const OPENAI_TOOLS: NativeTools = {
  apply_patch: {
    name: "apply_patch",
    parameters: { patch: "input" },
  },
  shell: {
    name: "exec_command",
    description: "Run a command line. Returns its output and exit code.",
    parameters: { command: "cmd", cwd: "workdir" },
  },
  grep: {
    name: "grep_files",
    parameters: { glob_filter: "include", max_results: "limit" },
  },
  list_dir: {
    name: "list_dir",
    parameters: { path: "dir_path" },
  },
};
