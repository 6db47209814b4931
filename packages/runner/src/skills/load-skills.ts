import { posix } from "node:path";
import type { CustomCommand, Skill } from "@switchyard/agent";
import type { ExecutionEnvironment, NoticePayload } from "@switchyard/contracts";
import { FOLDERS, type InstructionFile, InstructionFolder, type TrustedFiles } from "./instruction-folder.ts";

/** Where skills and commands are looked for. */
export interface LoadSkillsOptions {
  /** Where the project is. */
  readonly workspace?: ExecutionEnvironment | undefined;
  /**
   * Whether the user trusts the project: `true` for all of it as it is now, or the files with the content that they
   * looked at; others are left out and named in a notice, with the skill in whose folder they are. Default: `false`, and no byte of it is read.
   */
  readonly trusted?: boolean | TrustedFiles | undefined;
  /** The user's own folder, as a place to read files in. */
  readonly user?: ExecutionEnvironment | undefined;
}

/** What was found. */
export interface LoadedSkills {
  /** For `SessionOptions.skills`. */
  readonly skills: readonly Skill[];
  /** For `SessionOptions.commands`. */
  readonly commands: readonly CustomCommand[];
  /** Why files were left out, for `SessionOptions.notices`. */
  readonly notices: readonly NoticePayload[];
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;

/** A name as a session takes it; nothing where none is left of it. */
function toName(text: string): string | undefined {
  const name = text
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");
  return name === "" ? undefined : name;
}

/** One line without control characters. */
function toLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, MAX_DESCRIPTION);
}

/** What a file has in it. */
interface Found<T> {
  readonly file: InstructionFile;
  readonly item: T;
}

/** Every item under the first name it comes with: the nearest wins. */
class Collection<T extends { readonly name: string }> {
  readonly #items = new Map<string, T>();

  /** Adds what is in one folder. Of two with one name there, the one whose place bears the name wins. */
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

/** The agent may change a script beside the instructions while it works: what was trusted is compared again at use. */
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
 * Skills from `skills/<name>/SKILL.md` and commands from `commands/<name>.md` in `.switchyard`, `.agents` and
 * `.claude`, of a trusted workspace and of the user; of two with one name the nearer wins. A file that is none is left
 * out and named in a notice; nothing rejects. loop: §8; architecture: decision 20.
 */
export async function loadSkills(options: LoadSkillsOptions): Promise<LoadedSkills> {
  const { workspace, user, trusted = false } = options;
  const skills = new Collection<Skill>();
  const commands = new Collection<CustomCommand>();
  const places: InstructionFolder[] = [];
  if (workspace !== undefined && trusted !== false) {
    const files = trusted === true ? undefined : trusted;
    places.push(new InstructionFolder(workspace, { toSource: (path) => path, trusted: files }));
  }
  if (user !== undefined) {
    places.push(new InstructionFolder(user, { toSource: (path) => posix.join(user.workingDirectory, path) }));
  }
  for (const place of places) {
    for (const folder of FOLDERS) {
      keep(place, skills, { files: await place.skillFiles(folder), toItem: toSkill });
      keep(place, commands, { files: await place.commandFiles(folder), toItem: toCommand });
    }
  }
  return { skills: skills.list(), commands: commands.list(), notices: places.flatMap(({ notices }) => notices) };
}

/**
 * Returns the digest of every file that {@link loadSkills} would read in a workspace, by path, for a list of what the
 * user trusts. Interprets nothing and never rejects; what cannot be read is left out and named in a notice.
 */
export async function digestSkills(
  workspace: ExecutionEnvironment,
): Promise<{ readonly files: TrustedFiles; readonly notices: readonly NoticePayload[] }> {
  const folder = new InstructionFolder(workspace, { toSource: (path) => path });
  return { files: await folder.digests(), notices: folder.notices };
}

function keep<T extends { readonly name: string }>(
  place: InstructionFolder,
  collection: Collection<T>,
  { files, toItem }: { files: readonly InstructionFile[]; toItem: (file: InstructionFile) => T | string },
): void {
  const refuse = place.refuse.bind(place);
  const found: Found<T>[] = [];
  for (const file of files) {
    const item = toItem(file);
    if (typeof item === "string") refuse(file.path, item);
    else found.push({ file, item });
  }
  collection.addFolder(found, refuse);
}
