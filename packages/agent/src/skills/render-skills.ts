import type { Skill } from "./skill.ts";

/** Maximum total length of the listed skills, in characters. */
const BUDGET_CHARACTERS = 16_000;
/** Maximum length of a description, in characters. */
const MAX_DESCRIPTION = 1_024;

function headingOf(toolName: string): string {
  return `Instructions for special kinds of tasks. When a task fits one of them, call the tool \`${toolName}\` with its name first and follow what it says.`;
}

/**
 * Renders the list of skills for the system prompt: names and descriptions up to a size limit, and the number of
 * omitted skills. Tells the model which tool reads a skill. Empty if there are no skills. See loop: §6.1, §8.
 */
export function renderSkills(skills: readonly Skill[], toolName: string): string {
  if (skills.length === 0) return "";
  const lines: string[] = [];
  let remaining = BUDGET_CHARACTERS;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description.replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION)}`;
    remaining -= line.length;
    if (remaining < 0) break;
    lines.push(line);
  }
  const missing = skills.length - lines.length;
  if (missing > 0) lines.push(`[${missing} more skills are not listed here]`);
  return `${headingOf(toolName)}\n\n${lines.join("\n")}`;
}
