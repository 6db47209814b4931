/** Instructions for a kind of task, which the model reads on demand. loop: §8, skills. */
export interface Skill {
  /** Name by which the model requests it: letters, digits, `-` and `_`. */
  readonly name: string;
  /** What it does and when to use it, in one or two sentences. Part of every request. */
  readonly description: string;
  /** Instructions, or a function that loads them on request. */
  readonly instructions: string | (() => Promise<string>);
  /** Path of its file, shown to users and the model. */
  readonly source?: string | undefined;
}

/** Prompt template that a user invokes with `/name`. loop: §8, custom commands. */
export interface CustomCommand {
  /** Name after the slash. */
  readonly name: string;
  /** One sentence for users. */
  readonly description?: string | undefined;
  /** Description of its arguments, for users. */
  readonly argumentHint?: string | undefined;
  /** Prompt. `$ARGUMENTS` is replaced by all arguments, `$1` to `$9` by single ones. */
  readonly template: string;
  /** Path of its file. */
  readonly source?: string | undefined;
}
