import { posix } from "node:path";
import type { CustomCommand, Skill } from "@switchyard/agent";
import type { ExecutionEnvironment, NoticePayload } from "@switchyard/contracts";
import { FOLDERS, type InstructionFile, InstructionFolder, type TrustedFiles } from "./instruction-folder.ts";

/** Options for `loadSkills`. */
export interface LoadSkillsOptions {
  /** Environment of the project. */
  readonly workspace?: ExecutionEnvironment | undefined;
  /**
   * Whether the user trusts the project. `true`: all files are used with their current content. A map: only files with
   * the trusted content are used, and all other files are skipped with a notice. Default: `false`, and no content is
   * read.
   */
  readonly trusted?: boolean | TrustedFiles | undefined;
  /** The user's folder, as an environment to read from. */
  readonly user?: ExecutionEnvironment | undefined;
}

/** Result of `loadSkills`. */
export interface LoadedSkills {
  /** For `SessionOptions.skills`. */
  readonly skills: readonly Skill[];
  /** For `SessionOptions.commands`. */
  readonly commands: readonly CustomCommand[];
  /** Notices about skipped files, to pass as the option `notices` of a session. */
  readonly notices: readonly NoticePayload[];
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;

/** Converts text to a skill or command name that sessions accept. `undefined` if no valid character remains. */
function toName(text: string): string | undefined {
  const name = text
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");
  return name === "" ? undefined : name;
}

/** Converts text to one line without control characters. */
function toLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, MAX_DESCRIPTION);
}

/** Content of a file. */
interface Found<T> {
  readonly file: InstructionFile;
  readonly item: T;
}

/** Skills or commands by name. If several folders define the same name, the first folder takes precedence. */
class Collection<T extends { readonly name: string }> {
  readonly #items = new Map<string, T>();

  /**
   * Adds the skills or commands of a folder. If two files declare the same name, the one whose file or folder also has
   * this name takes precedence.
   */
  addFolder(found: readonly Found<T>[], refuse: (path: string, reason: string) => void): void {
    const winners = new Map<string, Found<T>>();
    for (const each of found) {
      const { name } = each.item;
      const other = winners.get(name);
      const [winner, loser] = other !== undefined && each.file.name === name ? [each, other] : [other ?? each, each];
      winners.set(name, winner);
      if (loser !== winner) refuse(loser.file.path, `${winner.file.source} has the same name ${name}`);
    }
    for (const { item } of winners.values()) if (!this.#items.has(item.name)) this.#items.set(item.name, item);
  }

  list(): readonly T[] {
    return [...this.#items.values()];
  }
}

function toSkill(file: InstructionFile): Skill | string {
  const name = toName(file.fields.get("name") ?? file.name);
  const description = toLine(file.fields.get("description") ?? "");
  if (name === undefined) return "it has no name";
  if (description === "") return "it has no description";
  if (file.body === "") return "it has no instructions";
  return { name, description, instructions: instructionsOf(file), source: file.source };
}

/**
 * Returns the instructions of a skill. At each use, the skill's files are compared with their trusted digests, because
 * the agent may change them during the run.
 */
function instructionsOf({ body, assertUnchanged }: InstructionFile): Skill["instructions"] {
  if (assertUnchanged === undefined) return body;
  return async () => {
    await assertUnchanged();
    return body;
  };
}

function toCommand(file: InstructionFile): CustomCommand | string {
  const name = toName(file.name);
  if (name === undefined) return "it has no name";
  if (file.body === "") return "it has no template";
  const [description, argumentHint] = ["description", "argument-hint"].map((field) => file.fields.get(field));
  return {
    name,
    ...(description === undefined ? {} : { description: toLine(description) }),
    ...(argumentHint === undefined ? {} : { argumentHint: toLine(argumentHint) }),
    template: file.body,
    source: file.source,
  };
}

/**
 * Loads skills from `skills/<name>/SKILL.md` and commands from `commands/<name>.md` in `.switchyard`, `.agents` and
 * `.claude`, of a trusted workspace and of the user. The workspace takes precedence. Malformed files are skipped with a
 * notice; never rejects. See loop: §8; architecture: decision 20.
 */
export async function loadSkills(options: LoadSkillsOptions): Promise<LoadedSkills> {
  const { workspace, user, trusted = false } = options;
  const skills = new Collection<Skill>();
  const commands = new Collection<CustomCommand>();
  const folders: InstructionFolder[] = [];
  if (workspace !== undefined && trusted !== false) {
    const files = trusted === true ? undefined : trusted;
    folders.push(new InstructionFolder(workspace, { toSource: (path) => path, trusted: files }));
  }
  if (user !== undefined) {
    folders.push(new InstructionFolder(user, { toSource: (path) => posix.join(user.workingDirectory, path) }));
  }
  for (const source of folders) {
    for (const folder of FOLDERS) {
      addItems(source, skills, { files: await source.skillFiles(folder), toItem: toSkill });
      addItems(source, commands, { files: await source.commandFiles(folder), toItem: toCommand });
    }
  }
  return { skills: skills.list(), commands: commands.list(), notices: folders.flatMap(({ notices }) => notices) };
}

/**
 * Returns the digest of every file that {@link loadSkills} would read in a workspace, by path. Callers can store the
 * result as a list of trusted files. Parses nothing and never rejects; unreadable files are skipped with a notice.
 */
export async function digestSkills(
  workspace: ExecutionEnvironment,
): Promise<{ readonly files: TrustedFiles; readonly notices: readonly NoticePayload[] }> {
  const folder = new InstructionFolder(workspace, { toSource: (path) => path });
  return { files: await folder.digests(), notices: folder.notices };
}

function addItems<T extends { readonly name: string }>(
  folder: InstructionFolder,
  collection: Collection<T>,
  { files, toItem }: { files: readonly InstructionFile[]; toItem: (file: InstructionFile) => T | string },
): void {
  const refuse = folder.refuse.bind(folder);
  const found: Found<T>[] = [];
  for (const file of files) {
    const item = toItem(file);
    if (typeof item === "string") refuse(file.path, item);
    else found.push({ file, item });
  }
  collection.addFolder(found, refuse);
}
