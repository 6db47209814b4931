/** Instructions for one kind of task that the model reads when it needs them. loop: §8, skills. */
export interface Skill {
  /** Its name, by which the model asks for it: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One or two sentences: what it does and when to use it. Every request carries them. */
  readonly description: string;
  /** The instructions, or what reads them when they are asked for. */
  readonly instructions: string | (() => Promise<string>);
  /** Where it came from, for people and for the model: the path of its file. */
  readonly source?: string | undefined;
}

/** A prompt template that a user calls by `/name`. loop: §8, custom commands. */
export interface CustomCommand {
  /** What follows the slash. */
  readonly name: string;
  /** One sentence for people. */
  readonly description?: string | undefined;
  /** What its arguments are, for people. */
  readonly argumentHint?: string | undefined;
  /** The prompt; `$ARGUMENTS` stands for all arguments, `$1` to `$9` for one each. */
  readonly template: string;
  /** Where it came from: the path of its file. */
  readonly source?: string | undefined;
}
