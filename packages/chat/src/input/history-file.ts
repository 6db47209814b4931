import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * `MAX_ENTRIES`: maximum number of inputs that are read, the newest ones. `SHORTEN_AT`: if the file contains more
 * inputs than this, it is shortened to `MAX_ENTRIES`.
 */
const [MAX_ENTRIES, SHORTEN_AT] = [500, 1_000];
/** Maximum length of a stored input, in UTF-16 code units. Longer inputs are not stored. */
const MAX_CHARS = 20_000;

/** File that stores what the user entered in one folder. Only its owner can read it. */
export interface HistoryFile {
  /** Reads the newest inputs, the oldest first. Empty if there is no file. */
  read(): Promise<string[]>;
  /** Appends an input. */
  append(text: string): Promise<void>;
}

/** Opens a history file. Its folder is created when the first input is stored. */
export function openHistoryFile(path: string): HistoryFile {
  return {
    async read() {
      const entries = parse(await readFile(path, "utf8").catch(() => ""));
      const newest = entries.slice(-MAX_ENTRIES);
      if (entries.length > SHORTEN_AT) await replace(path, newest);
      return newest;
    },
    async append(text) {
      if (text.length > MAX_CHARS) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await appendFile(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
    },
  };
}

async function replace(path: string, entries: readonly string[]): Promise<void> {
  const next = `${path}.new`;
  await writeFile(next, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
  await rename(next, path);
}

/** Returns the inputs of a file. Lines that are damaged, such as one that a crash cut off, are skipped. */
function parse(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}
