/** Workspace folders in which engines look for skills, by name of the engine. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["claude-code", ".claude/skills"],
  ["opencode", ".claude/skills"],
  ["qodercli", ".qoder/skills"],
  ["qoder", ".qoder/skills"],
  ["qoder-cli", ".qoder/skills"],
  ["qwen_code", ".qwen/skills"],
  ["qwen-code", ".qwen/skills"],
  ["qwen", ".qwen/skills"],
]);

/** Workspace folder for the skills of other engines. */
const COMMON = ".agents/skills";

/** Returns the workspace folder in which an engine looks for skills. */
export function agentSkillFolder(engine: string): string {
  return FOLDERS.get(engine) ?? COMMON;
}
