import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Maximum length of front matter, in characters. A file with longer front matter is rejected. */
const MAX_CHARACTERS = 16 * 1024;

/** Markdown file, split into front matter and body. */
export interface MarkdownFile {
  /** Front matter fields whose values are text, by name. Other fields are omitted. */
  readonly fields: ReadonlyMap<string, string>;
  /** Body, without surrounding blank lines. */
  readonly body: string;
}

/** Error about a malformed skill or command file, with a message for users. */
export class MalformedFile extends Error {}

/** Splits a Markdown text into front matter and body. A text without front matter is all body. */
function split(text: string): { yaml: string; body: string } {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (!/^---[ \t]*\n/.test(plain)) return { yaml: "", body: plain };
  const end = /\n---[ \t]*(?:\n|$)/.exec(plain);
  if (end === null) throw new MalformedFile("its front matter has no end");
  return { yaml: plain.slice(plain.indexOf("\n") + 1, end.index + 1), body: plain.slice(end.index + end[0].length) };
}

/** Parses plain YAML: no tags, no aliases, no duplicate keys. */
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

/** Parses an untrusted Markdown file. Rejects with `MalformedFile`. */
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
