import { EngineError, type RegisteredTool } from "@switchyard/contracts";
import type { Skill } from "./skill.ts";

/** Maximum number of skill names to list if the model requests an unknown skill. */
const MAX_NAMES = 50;

/** Maximum length of a skill's instructions in the output, in characters. */
const MAX_CHARACTERS = 100_000;

function unknown(name: string, skills: ReadonlyMap<string, Skill>): string {
  const names = [...skills.keys()].slice(0, MAX_NAMES);
  return `There is no skill ${JSON.stringify(name)}. Skills: ${names.join(", ")}.`;
}

function assertNames(skills: readonly Skill[]): void {
  for (const { name } of skills) {
    if (/^[\w-]{1,64}$/.test(name)) continue;
    const problem = `${JSON.stringify(name)} is not a valid name; use 1 to 64 letters, digits, - and _`;
    throw new EngineError("config.invalid", { field: "skills", problem });
  }
}

/**
 * Creates the tool with which the model reads a skill's instructions. If several skills have the same name, the last
 * one is used. Throws `config.invalid` if a name is invalid. See loop: §8, skills.
 */
export function createSkillTool(skills: readonly Skill[]): RegisteredTool {
  assertNames(skills);
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return {
    definition: {
      name: "skill",
      description: "Returns the instructions of a skill, by its name.",
      parameters: {
        type: "object",
        properties: { name: { type: "string", description: "Name of the skill." } },
        required: ["name"],
        additionalProperties: false,
      },
    },
    effects: "readonly",
    outputLimits: { maxChars: MAX_CHARACTERS, mode: "head" },
    async execute(args) {
      const name = String(args["name"]);
      const skill = byName.get(name);
      if (skill === undefined) return { content: unknown(name, byName), isError: true };
      const { instructions, source } = skill;
      const text = typeof instructions === "string" ? instructions : await instructions();
      const origin =
        source === undefined ? "" : `Skill ${name} from ${source}; paths in it are relative to its folder.\n\n`;
      return { content: `${origin}${text}`, details: { skill: name, ...(source === undefined ? {} : { source }) } };
    },
  };
}
