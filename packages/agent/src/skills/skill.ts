/** Instructions for one kind of task, which the model reads on demand. See loop: §8, skills. */
export interface Skill {
  /** Name with which the model requests the skill: letters, digits, `-` and `_`. */
  readonly name: string;
  /** Purpose of the skill and when to use it, in one or two sentences. Sent with every request. */
  readonly description: string;
  /** Instructions, or a function that loads them on request. */
  readonly instructions: string | (() => Promise<string>);
  /** Path of the skill's file, shown to users and the model. `undefined` if the skill has no file. */
  readonly source?: string | undefined;
}

/** Prompt template that a user invokes with `/name`. See loop: §8, custom commands. */
export interface CustomCommand {
  /** Name after the slash: letters, digits, `-`, `_` and `:`. */
  readonly name: string;
  /** Description for users, in one sentence. */
  readonly description?: string | undefined;
  /** Hint about the command's arguments, shown to users. */
  readonly argumentHint?: string | undefined;
  /** Prompt for the model. `$ARGUMENTS` is replaced by all arguments, and `$1` to `$9` by single arguments. */
  readonly template: string;
  /** Path of the command's file. `undefined` if the command has no file. */
  readonly source?: string | undefined;
}
