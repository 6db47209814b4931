import { createHash } from "node:crypto";
import type { EntryKind, ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { MalformedFile } from "./front-matter.ts";

/** Maximum number of files and folders of one skill. A skill with more is left out. */
const MAX_ENTRIES = 2_000;
/** Maximum size of all files of one skill, in bytes. A larger skill is left out. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum number of nested folders of a skill. A skill with more is left out. */
const MAX_DEPTH = 16;

/** File or folder of a skill, with its depth. The skill's folder has depth 0. */
interface Entry {
  readonly path: string;
  readonly depth: number;
}

/**
 * Returns the SHA-256 digest (hexadecimal) of every file in a skill's folder, except those in `.git` folders. The keys
 * are the paths in the environment. Links are followed inside the workspace. Rejects with `MalformedFile` if a link
 * leads out of the workspace, an entry is neither a file nor a folder, or a limit is exceeded.
 */
export async function digestSkillFiles(
  environment: ExecutionEnvironment,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const files = new SkillFiles(environment, folder);
  const open: Entry[] = [{ path: folder, depth: 0 }];
  for (const entry of open) open.push(...(await files.addFolder(entry)));
  return files.digests;
}

class SkillFiles {
  readonly digests = new Map<string, string>();
  readonly #environment: ExecutionEnvironment;
  readonly #folder: string;
  #entries = 0;
  #bytes = 0;

  constructor(environment: ExecutionEnvironment, folder: string) {
    this.#environment = environment;
    this.#folder = folder;
  }

  /** Adds the digests of the files in a folder. Returns the subfolders. */
  async addFolder({ path: folder, depth }: Entry): Promise<Entry[]> {
    if (depth > MAX_DEPTH) throw new MalformedFile(`more than ${MAX_DEPTH} folders in it are nested`);
    const folders: Entry[] = [];
    for (const { name, kind: listed } of await this.#environment.listDirectory(folder)) {
      if (name === ".git" && listed === "directory") continue;
      this.#entries += 1;
      if (this.#entries > MAX_ENTRIES) throw new MalformedFile(`it has more than ${MAX_ENTRIES} files`);
      const path = `${folder}/${name}`;
      const kind = listed === "symlink" ? await this.#targetKind(path) : listed;
      if (kind === "directory") folders.push({ path, depth: depth + 1 });
      else if (kind === "file") this.digests.set(path, await this.#digest(path));
      else if (kind !== undefined) throw new MalformedFile(`its ${this.#named(path)} is neither a file nor a folder`);
    }
    return folders;
  }

  /**
   * Returns the kind of a symbolic link's target. `undefined` for a broken link, which is not digested. If the target
   * is created later, the link counts as a new file.
   */
  async #targetKind(path: string): Promise<EntryKind | undefined> {
    try {
      return (await this.#environment.stat(path)).kind;
    } catch (error) {
      if (EngineError.is(error, "environment.file_not_found")) return undefined;
      throw new MalformedFile(`its link ${this.#named(path)} cannot be followed inside the workspace`, {
        cause: error,
      });
    }
  }

  async #digest(path: string): Promise<string> {
    const bytes = await this.#environment.readBytes(path, { length: MAX_BYTES - this.#bytes + 1 });
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) throw new MalformedFile(`its files are larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    return createHash("sha256").update(bytes).digest("hex");
  }

  #named(path: string): string {
    return path.slice(this.#folder.length + 1);
  }
}
