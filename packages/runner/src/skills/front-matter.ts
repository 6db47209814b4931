import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Characters of the front matter of a file. */
const MAX_CHARACTERS = 16 * 1024;

/** A Markdown file in its two parts. */
export interface MarkdownFile {
  /** Texts at the top of it, by name; whatever is no text is left out. */
  readonly fields: ReadonlyMap<string, string>;
  /** What follows, without the blank lines round it. */
  readonly body: string;
}

/** What is wrong with a file, for people. */
export class MalformedFile extends Error {}

/** Everything between the first line and the line that ends it; the whole text is the body of a file without it. */
function split(text: string): { yaml: string; body: string } {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (!/^---[ \t]*\n/.test(plain)) return { yaml: "", body: plain };
  const end = /\n---[ \t]*(?:\n|$)/.exec(plain);
  if (end === null) throw new MalformedFile("its front matter has no end");
  return { yaml: plain.slice(plain.indexOf("\n") + 1, end.index + 1), body: plain.slice(end.index + end[0].length) };
}

/** Plain texts only: no types, no references from one place to another, no key twice. */
async function parseYaml(text: string): Promise<unknown> {
  if (text.trim() === "") return {};
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { schema: "failsafe", uniqueKeys: true, logLevel: "silent" });
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    const [firstLine = ""] = messageOf(error).split("\n");
    throw new MalformedFile(`its front matter cannot be read: ${firstLine.slice(0, 200)}`, { cause: error });
  }
}

/** A Markdown file that comes from outside. Rejects with `MalformedFile`. */
export async function parseMarkdownFile(text: string): Promise<MarkdownFile> {
  if (text.includes("\0")) throw new MalformedFile("it is not a text file");
  const { yaml, body } = split(text);
  if (yaml.length > MAX_CHARACTERS) throw new MalformedFile("its front matter is too long");
  const values = await parseYaml(yaml);
  if (!isRecord(values)) throw new MalformedFile("its front matter has no fields");
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) if (typeof value === "string") fields.set(name, value);
  return { fields, body: body.trim() };
}
