/** What the text in parentheses in an approval rule such as `shell(git *)` matches: a command, a path or a URL. */
export type ToolSubject = "command" | "path" | "url";

/**
 * Tools whose arguments name a command, path or URL. The list includes the names that vendors' agents give to these
 * tools.
 */
const SUBJECTS: Readonly<Record<ToolSubject, readonly string[]>> = {
  command: ["shell", "exec_command", "Bash", "run_shell_command"],
  path: [
    ...["read_file", "read_many_files", "write_file", "edit_file", "apply_patch", "grep", "glob", "list_dir"],
    ...["Read", "Write", "Edit", "Grep", "Glob", "replace", "grep_files", "grep_search", "list_directory"],
  ],
  url: ["web_fetch", "WebFetch"],
};

/** Tools whose arguments name no command, path or URL, because they work on the session or on resources of the host. */
const OTHERS: readonly string[] = [
  ...["ask_user", "skill", "web_search", "WebSearch"],
  ...["shell_output", "shell_kill", "TaskOutput", "TaskStop", "read_background_output"],
  ...["spawn_agent", "send_input", "wait", "close_agent", "Agent", "invoke_agent"],
];

/** Names of all tools of the built-in agent. */
export const AGENT_TOOLS: readonly string[] = [...Object.values(SUBJECTS).flat(), ...OTHERS];

/**
 * Returns what an approval rule about a tool can match in addition to the tool's name. `undefined` if only the name can
 * be matched.
 */
export function toolSubjectOf(tool: string): ToolSubject | undefined {
  if (SUBJECTS.command.includes(tool)) return "command";
  if (SUBJECTS.path.includes(tool)) return "path";
  return SUBJECTS.url.includes(tool) ? "url" : undefined;
}
