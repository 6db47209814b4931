/** What the words behind a tool's name in a rule are about. */
export type ToolSubject = "command" | "path" | "url";

/** Tools whose calls say what they touch, by the specification's names and those of the vendors' own agents. */
const SUBJECTS: Readonly<Record<ToolSubject, readonly string[]>> = {
  command: ["shell", "exec_command", "Bash", "run_shell_command"],
  path: [
    ...["read_file", "read_many_files", "write_file", "edit_file", "apply_patch", "grep", "glob", "list_dir"],
    ...["Read", "Write", "Edit", "Grep", "Glob", "replace", "grep_files", "grep_search", "list_directory"],
  ],
  url: ["web_fetch", "WebFetch"],
};

/** Tools that work on the session itself, or on something that only the host knows. */
const OTHERS: readonly string[] = [
  ...["ask_user", "skill", "web_search", "WebSearch"],
  ...["shell_output", "shell_kill", "TaskOutput", "TaskStop", "read_background_output"],
  ...["spawn_agent", "send_input", "wait", "close_agent", "Agent", "invoke_agent"],
];

/** Names of all tools of the agent itself. */
export const TOOLS: readonly string[] = [...Object.values(SUBJECTS).flat(), ...OTHERS];

/** What rules about a tool can say beyond its name; nothing where its calls do not tell. */
export function subjectOf(tool: string): ToolSubject | undefined {
  if (SUBJECTS.command.includes(tool)) return "command";
  if (SUBJECTS.path.includes(tool)) return "path";
  return SUBJECTS.url.includes(tool) ? "url" : undefined;
}
