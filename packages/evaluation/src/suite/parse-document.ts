import { messageOf } from "@switchyard/contracts";

/** Longest evaluation in characters. */
const MAX_CHARS = 16 * 1024 * 1024;

/** The data of a document, or what is wrong with it. */
export type ParsedDocument = { readonly value: unknown } | { readonly problems: string[] };

/** Reads YAML 1.2, which JSON is a part of. All problems are told, with line and column. */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  if (text.length > MAX_CHARS) return { problems: [`the file is longer than ${MAX_CHARS} characters`] };
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text.startsWith("\uFEFF") ? text.slice(1) : text, {
    ...{ lineCounter: lines, uniqueKeys: true, prettyErrors: false, logLevel: "silent" },
    // `yes` and `on` are texts, and keys are never anything else.
    ...{ version: "1.2", stringKeys: true },
  });
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    const { line, col } = lines.linePos(pos[0]);
    return `line ${line}, column ${col}: ${message}`;
  });
  if (problems.length > 0) return { problems };
  try {
    // A few aliases are a convenience; thousands unfold to more than there is memory.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value };
  } catch (error) {
    return { problems: [`the file cannot be read: ${messageOf(error)}`] };
  }
}
