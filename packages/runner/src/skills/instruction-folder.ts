import { createHash } from "node:crypto";
import { EngineError, type ExecutionEnvironment, messageOf, type NoticePayload } from "@switchyard/contracts";
import { digestSkillFiles } from "./digest-skill-files.ts";
import { MalformedFile, type MarkdownFile, parseMarkdownFile } from "./front-matter.ts";

/** Folders that contain skills and commands, in order of precedence. */
export const FOLDERS = [".switchyard", ".agents", ".claude"] as const;

/** Matches control characters and bidirectional formatting characters. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Maximum size of a skill or command file, in bytes. A larger file is left out. */
const MAX_BYTES = 256 * 1024;
/** Maximum number of entries of a folder that are read. A notice reports that a folder has more. */
const MAX_ENTRIES = 200;

/** Parsed file of a skill or command, with the name derived from its path. */
export interface InstructionFile extends MarkdownFile {
  readonly name: string;
  /** Path in the environment from which the file was read. */
  readonly path: string;
  /** Path shown to users. */
  readonly source: string;
  /** Rejects if a file of the skill has changed since the user trusted the skill. `undefined` if no check is needed. */
  readonly assertUnchanged?: (() => Promise<void>) | undefined;
}

/** Path of a file of a skill or command, with the name derived from the path. */
interface FileLocation {
  readonly name: string;
  readonly path: string;
  /** Folder of the skill to which the file belongs. `undefined` for a command. */
  readonly folder?: string | undefined;
}

/** Trusted files. Maps each path in the workspace to the SHA-256 digest of the file, in hexadecimal. */
export type TrustedFiles = ReadonlyMap<string, string>;

/** Unparsed file of a skill or a command. */
interface RawFile extends FileLocation {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Options for `InstructionFolder`. */
export interface InstructionFolderOptions {
  /** Converts a path in the environment to the path shown to users. */
  readonly toSource: (path: string) => string;
  /**
   * Files that may be used. All other files are skipped, and a notice names them. `undefined` if all files may be used.
   */
  readonly trusted?: TrustedFiles | undefined;
}

/** Reads the skills and commands of a user or a project, and records notices for unreadable files. */
export class InstructionFolder {
  readonly notices: NoticePayload[] = [];
  readonly #environment: ExecutionEnvironment;
  readonly #toSource: (path: string) => string;
  readonly #trusted: TrustedFiles | undefined;

  constructor(environment: ExecutionEnvironment, { toSource, trusted }: InstructionFolderOptions) {
    this.#environment = environment;
    this.#toSource = toSource;
    this.#trusted = trusted;
  }

  /**
   * Returns the digest of every command and of every file in a skill's folder, by path, without parsing them. Skills
   * with a file that cannot be digested are omitted.
   */
  async digests(): Promise<TrustedFiles> {
    const digests = new Map<string, string>();
    for (const folder of FOLDERS) {
      const locations = [...(await this.#skillLocations(folder)), ...(await this.#commandLocations(folder))];
      for (const file of await this.#readRaw(locations)) {
        for (const [path, sha256] of await this.#digestsOf(file)) digests.set(path, sha256);
      }
    }
    return digests;
  }

  /** Returns all files `<folder>/<name>/SKILL.md`. */
  async skillFiles(folder: string): Promise<readonly InstructionFile[]> {
    return this.#readAll(await this.#skillLocations(folder));
  }

  /** Returns all files `<folder>/<name>.md`. */
  async commandFiles(folder: string): Promise<readonly InstructionFile[]> {
    return this.#readAll(await this.#commandLocations(folder));
  }

  async #skillLocations(folder: string): Promise<readonly FileLocation[]> {
    const entries = await this.#list(`${folder}/skills`);
    const folders = entries.filter(({ kind }) => kind !== "file");
    return folders.map(({ name }) => {
      const skill = `${folder}/skills/${name}`;
      return { name, path: `${skill}/SKILL.md`, folder: skill };
    });
  }

  async #commandLocations(folder: string): Promise<readonly FileLocation[]> {
    const entries = await this.#list(`${folder}/commands`);
    const files = entries.filter(({ name, kind }) => kind !== "directory" && name.endsWith(".md"));
    return files.map(({ name }) => ({ name: name.slice(0, -3), path: `${folder}/commands/${name}` }));
  }

  /** Adds a notice that states why a file is not used. */
  refuse(path: string, reason: string): void {
    // File names are untrusted and may be printed on terminals, so control characters are escaped.
    const problem = printable(reason.replace(/\.$/, ""));
    const source = printable(this.#toSource(path));
    const message = `${source} is left out: ${problem}.`;
    this.notices.push({ message, kind: "instructions_ignored", details: { path: source, problem } });
  }

  async #list(path: string): Promise<Awaited<ReturnType<ExecutionEnvironment["listDirectory"]>>> {
    try {
      const entries = await this.#environment.listDirectory(path);
      if (entries.length > MAX_ENTRIES) this.refuse(path, `only its first ${MAX_ENTRIES} entries are read`);
      return entries.slice(0, MAX_ENTRIES);
    } catch (error) {
      if (!isAbsent(error)) this.refuse(path, messageOf(error));
      return [];
    }
  }

  async #digestsOf({ path, folder, sha256 }: RawFile): Promise<TrustedFiles> {
    if (folder === undefined) return new Map([[path, sha256]]);
    try {
      return await digestSkillFiles(this.#environment, folder);
    } catch (error) {
      this.refuse(path, messageOf(error));
      return new Map();
    }
  }

  async #readAll(locations: readonly FileLocation[]): Promise<readonly InstructionFile[]> {
    const read: InstructionFile[] = [];
    for (const raw of await this.#readRaw(locations)) {
      const { name, path, bytes, folder } = raw;
      try {
        const assertUnchanged = this.#trusted === undefined ? undefined : () => this.#assertTrusted(raw, this.#trusted);
        await assertUnchanged?.();
        // The file is not read again: the parsed bytes are those that were compared with the trusted digest.
        const file = await parseMarkdownFile(new TextDecoder().decode(bytes));
        const check = folder === undefined ? undefined : assertUnchanged;
        read.push({ name, path, source: this.#toSource(path), assertUnchanged: check, ...file });
      } catch (error) {
        this.refuse(path, messageOf(error));
      }
    }
    return read;
  }

  /** Compares a command, or all files of a skill, with the trusted digests. */
  async #assertTrusted(raw: RawFile, trusted: TrustedFiles = new Map()): Promise<void> {
    const { path, folder, sha256 } = raw;
    assertSame("it", trusted.get(path), sha256);
    if (folder === undefined) return;
    const found = await digestSkillFiles(this.#environment, folder);
    const before = [...trusted.keys()].filter((file) => file.startsWith(`${folder}/`));
    for (const file of new Set([...found.keys(), ...before])) {
      assertSame(`its ${printable(file.slice(folder.length + 1))}`, trusted.get(file), found.get(file));
    }
  }

  async #readRaw(locations: readonly FileLocation[]): Promise<readonly RawFile[]> {
    const read: RawFile[] = [];
    for (const location of locations) {
      const { name, path } = location;
      try {
        if (UNSEEN.test(name)) throw new MalformedFile("its name contains invisible characters");
        const bytes = await this.#read(path);
        if (bytes === undefined) continue;
        read.push({ ...location, bytes, sha256: createHash("sha256").update(bytes).digest("hex") });
      } catch (error) {
        this.refuse(path, messageOf(error));
      }
    }
    return read;
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#environment.readBytes(path, { length: MAX_BYTES + 1 });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    if (bytes.length > MAX_BYTES) throw new MalformedFile(`it exceeds the limit of ${MAX_BYTES / 1024} KiB`);
    return bytes;
  }
}

function assertSame(named: string, trusted: string | undefined, now: string | undefined): void {
  if (trusted === now) return;
  const change = trusted === undefined ? "is new" : now === undefined ? "was removed" : "has changed";
  throw new MalformedFile(`${named} ${change} since the folder was trusted; look at it, then trust the folder again`);
}

function printable(text: string): string {
  return text.replace(/\p{C}/gu, "\uFFFD");
}

function isAbsent(error: unknown): boolean {
  return EngineError.is(error, "environment.file_not_found") || EngineError.is(error, "environment.not_a_directory");
}
