import type { Part, UserPrompt, UserReply } from "@switchyard/contracts";
import type { Dialogue } from "./dialogue.ts";
import { quote } from "./quote.ts";
import { textOfParts } from "./text-of-parts.ts";

const HOW = "Type your answer";

function optionsOf({ schema }: UserPrompt): readonly string[] {
  const options: unknown = schema?.["enum"];
  return Array.isArray(options) ? options.filter((option) => typeof option === "string") : [];
}

/** True if the answer must be structured data instead of text. */
function wantsData({ schema }: UserPrompt): boolean {
  return schema !== undefined && schema["type"] !== "string" && schema["enum"] === undefined;
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function toPart(line: string, prompt: UserPrompt): Part {
  const options = optionsOf(prompt);
  const typed = line.trim();
  const numbered = /^\d{1,4}$/.test(typed) ? options[Number(typed) - 1] : undefined;
  if (numbered !== undefined && !options.includes(typed)) return { type: "text", text: numbered };
  const data = wantsData(prompt) ? parseJson(typed) : undefined;
  return data === undefined ? { type: "text", text: typed } : { type: "data", value: data.value };
}

function helpFor(prompt: UserPrompt): string {
  if (wantsData(prompt)) return `  ${HOW} as JSON that matches the schema.`;
  const choose = optionsOf(prompt).length === 0 ? "" : ", or the number of an option";
  return `  ${HOW}${choose}. Ctrl-C stops the run; you can resume it later.`;
}

/** Asks an agent's question until the user gives a valid answer. Resolves with `undefined` at the end of the input. */
export async function askQuestion(dialogue: Dialogue, prompt: UserPrompt): Promise<UserReply | undefined> {
  const schema = wantsData(prompt) ? `\nSchema: ${JSON.stringify(prompt.schema)}` : "";
  const { lines } = quote(textOfParts(prompt.parts) + schema, { columns: dialogue.columns, whole: true });
  const help = helpFor(prompt);
  dialogue.say([dialogue.headline("The agent asks"), ...lines, help]);
  for (;;) {
    const line = await dialogue.readLine();
    if (line === undefined) return undefined;
    if (line.trim() !== "") return { parts: [toPart(line, prompt)] };
    dialogue.say([help]);
  }
}
