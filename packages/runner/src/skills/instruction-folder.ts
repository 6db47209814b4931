import { EngineError, type ExecutionEnvironment, messageOf, type NoticePayload } from "@switchyard/contracts";
import { MalformedFile, type MarkdownFile, parseMarkdownFile } from "./front-matter.ts";

/** Folders that hold skills and commands, the nearest first. */
export const FOLDERS = [".switchyard", ".agents", ".claude"] as const;

/** Control characters, and those that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Bytes of one file. */
const MAX_BYTES = 256 * 1024;
/** Entries of one folder. */
const MAX_ENTRIES = 200;

/** A file that was read, and the name it has by its place. */
export interface InstructionFile extends MarkdownFile {
  readonly name: string;
  /** Path in the place it was read from. */
  readonly path: string;
  /** Path by which people know it. */
  readonly source: string;
}

/** Reads what a person or a project has laid down in a place, and notes what cannot be read. */
export class InstructionFolder {
  readonly notices: NoticePayload[] = [];
  readonly #environment: ExecutionEnvironment;
  readonly #toSource: (path: string) => string;

  /** A place by its environment; `toSource` says how people know a path in it. */
  constructor(environment: ExecutionEnvironment, toSource: (path: string) => string) {
    this.#environment = environment;
    this.#toSource = toSource;
  }

  /** Every file `<folder>/<name>/SKILL.md`. */
  async skillFiles(folder: string): Promise<readonly InstructionFile[]> {
    const entries = await this.#list(`${folder}/skills`);
    const folders = entries.filter(({ kind }) => kind !== "file");
    return this.#readAll(folders.map(({ name }) => ({ name, path: `${folder}/skills/${name}/SKILL.md` })));
  }

  /** Every file `<folder>/<name>.md`. */
  async commandFiles(folder: string): Promise<readonly InstructionFile[]> {
    const entries = await this.#list(`${folder}/commands`);
    const files = entries.filter(({ name, kind }) => kind !== "directory" && name.endsWith(".md"));
    return this.#readAll(files.map(({ name }) => ({ name: name.slice(0, -3), path: `${folder}/commands/${name}` })));
  }

  /** Says why a file is left out. */
  refuse(path: string, reason: string): void {
    // Names of files are written on terminals, and they come from somebody else.
    const problem = printable(reason.replace(/\.$/, ""));
    const source = printable(this.#toSource(path));
    const message = `${source} is left out: ${problem}.`;
    this.notices.push({ message, kind: "instructions_ignored", details: { path: source, problem } });
  }

  async #list(path: string): Promise<Awaited<ReturnType<ExecutionEnvironment["listDirectory"]>>> {
    try {
      const entries = await this.#environment.listDirectory(path);
      if (entries.length > MAX_ENTRIES) this.refuse(path, `all behind its first ${MAX_ENTRIES} entries are not read`);
      return entries.slice(0, MAX_ENTRIES);
    } catch (error) {
      if (!isAbsent(error)) this.refuse(path, messageOf(error));
      return [];
    }
  }

  async #readAll(files: readonly { name: string; path: string }[]): Promise<readonly InstructionFile[]> {
    const read: InstructionFile[] = [];
    for (const { name, path } of files) {
      try {
        if (UNSEEN.test(name)) throw new MalformedFile("its name has characters in it that nobody can see");
        const file = await this.#read(path);
        if (file !== undefined) read.push({ name, path, source: this.#toSource(path), ...file });
      } catch (error) {
        this.refuse(path, messageOf(error));
      }
    }
    return read;
  }

  async #read(path: string): Promise<MarkdownFile | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#environment.readBytes(path, { length: MAX_BYTES + 1 });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    if (bytes.length > MAX_BYTES) throw new MalformedFile(`it is larger than ${MAX_BYTES / 1024} KiB`);
    return parseMarkdownFile(new TextDecoder().decode(bytes));
  }
}

function printable(text: string): string {
  return text.replace(/\p{C}/gu, "\uFFFD");
}

function isAbsent(error: unknown): boolean {
  return EngineError.is(error, "environment.file_not_found") || EngineError.is(error, "environment.not_a_directory");
}
