import type { Family } from "../histories/wire-checks.ts";

/** A tool call in the form that a model writes. */
export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A text to be changed in a file, and its replacement, each on one line. */
interface Edit {
  readonly from: string;
  readonly to: string;
}

/** Calls of a profile's tools in the form that the models of a family use. */
export interface Wording {
  read(path: string): Call;
  write(path: string, content: string): Call;
  /** In the family's own editing format. */
  edit(path: string, edit: Edit): Call;
  shell(command: string, timeoutMs?: number): Call;
  grep(pattern: string, files: string): Call;
  glob(pattern: string): Call;
  spawn(task: string): Call;
  wait(agentId: string): Call;
}

/** The origin of the tool names. */
export type Naming = "specification" | "native";

/** A patch with one or more operations. */
export function patchOf(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function withTimeout(name: string, timeoutMs: number | undefined): Readonly<Record<string, number>> {
  return timeoutMs === undefined ? {} : { [name]: timeoutMs };
}

function replacement(name: string, path: string, { from, to }: Edit): Call {
  return { name, args: { file_path: path, old_string: from, new_string: to } };
}

const SPECIFIED: Wording = {
  read: (path) => ({ name: "read_file", args: { file_path: path } }),
  write: (path, content) => ({ name: "write_file", args: { file_path: path, content } }),
  edit: (path, edit) => replacement("edit_file", path, edit),
  shell: (command, timeoutMs) => ({ name: "shell", args: { command, ...withTimeout("timeout_ms", timeoutMs) } }),
  grep: (pattern, files) => ({ name: "grep", args: { pattern, glob_filter: files } }),
  glob: (pattern) => ({ name: "glob", args: { pattern } }),
  spawn: (task) => ({ name: "spawn_agent", args: { task } }),
  wait: (agentId) => ({ name: "wait", args: { agent_id: agentId } }),
};

function patching(parameter: string): Wording["edit"] {
  return (path, { from, to }) => {
    const patch = patchOf(`*** Update File: ${path}`, "@@", `-${from}`, `+${to}`);
    return { name: "apply_patch", args: { [parameter]: patch } };
  };
}

const NATIVE: Readonly<Record<Family, Wording>> = {
  openai: {
    ...SPECIFIED,
    edit: patching("input"),
    shell: (cmd, timeoutMs) => ({ name: "exec_command", args: { cmd, ...withTimeout("timeout_ms", timeoutMs) } }),
    grep: (pattern, include) => ({ name: "grep_files", args: { pattern, include } }),
  },
  anthropic: {
    read: (path) => ({ name: "Read", args: { file_path: path } }),
    write: (path, content) => ({ name: "Write", args: { file_path: path, content } }),
    edit: (path, edit) => replacement("Edit", path, edit),
    shell: (command, timeoutMs) => ({ name: "Bash", args: { command, ...withTimeout("timeout", timeoutMs) } }),
    grep: (pattern, glob) => ({ name: "Grep", args: { pattern, glob, output_mode: "content" } }),
    glob: (pattern) => ({ name: "Glob", args: { pattern } }),
    spawn: (prompt) => ({ name: "Agent", args: { prompt } }),
    wait: SPECIFIED.wait,
  },
  gemini: {
    ...SPECIFIED,
    edit: (path, edit) => replacement("replace", path, edit),
    shell: (command, timeoutMs) => ({
      name: "run_shell_command",
      args: { command, ...withTimeout("timeout_ms", timeoutMs) },
    }),
    grep: (pattern, files) => ({ name: "grep_search", args: { pattern, include_pattern: files } }),
    spawn: (prompt) => ({ name: "invoke_agent", args: { prompt } }),
  },
};

/** Returns the names that a family uses for its tools, with the given naming. */
export function wordingOf(family: Family, naming: Naming): Wording {
  if (naming === "native") return NATIVE[family];
  return family === "openai" ? { ...SPECIFIED, edit: patching("patch") } : SPECIFIED;
}
