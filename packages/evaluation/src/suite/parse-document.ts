import { messageOf } from "@switchyard/contracts";

/** Maximum size of a suite file, in characters. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Parsed data of a document, or the problems found in it. */
export type ParsedDocument = { readonly value: unknown } | { readonly problems: string[] };

/** Parses YAML 1.2, a superset of JSON. Reports all problems with line and column. */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  if (text.length > MAX_CHARS) return { problems: [`the file is longer than ${MAX_CHARS} characters`] };
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text.startsWith("\uFEFF") ? text.slice(1) : text, {
    ...{ lineCounter: lines, uniqueKeys: true, prettyErrors: false, logLevel: "silent" },
    // YAML 1.2: `yes` and `on` are strings, and so are all keys.
    ...{ version: "1.2", stringKeys: true },
  });
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    const { line, col } = lines.linePos(pos[0]);
    return `line ${line}, column ${col}: ${message}`;
  });
  if (problems.length > 0) return { problems };
  try {
    // Limits alias expansion: nested aliases can otherwise expand to more than the available memory.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value };
  } catch (error) {
    return { problems: [`the file cannot be read: ${messageOf(error)}`] };
  }
}
