/** What can be asked about a machine to find out whether an agent is ready: no model, no network. */
export interface CheckupFacts {
  /** Whether a variable is set that the adapter or its block names. */
  has(variable: string): boolean;
  /** Whether a file or folder is there, by its path below the user's home. */
  homeHas(path: string): Promise<boolean>;
  /**
   * Runs the agent's command with these arguments, for five seconds at most; nothing where it cannot be run. Contract
   * for the caller: only for arguments that cost nothing and reach nobody.
   */
  run(args: readonly string[]): Promise<CheckupAnswer | undefined>;
  /** Runs another program that knows of the sign-in, in the same way. */
  runProgram(argv: readonly string[]): Promise<CheckupAnswer | undefined>;
}

/** What a command answered: its exit code, and what it printed on both outputs. */
export interface CheckupAnswer {
  /** Its exit code. */
  readonly exitCode: number;
  /** What it printed. */
  readonly output: string;
}

/** Whether somebody is signed in, as far as that shows without asking anybody. */
export interface SignIn {
  /** `unknown` where it does not show. */
  readonly state: "yes" | "no" | "unknown";
  /** What says so: the name of a variable or a file, never its value. */
  readonly by?: string | undefined;
}

/** What an adapter tells about getting its agent ready; all of it is optional. agent-adapter: credential preflight. */
export interface AgentCheckup {
  /** How the command is installed: a command line, or the address of a page. */
  readonly install?: string | undefined;
  /** How somebody signs in: a command line, or the name of a variable. */
  readonly signIn?: string | undefined;
  /** Arguments that print the version; `--version` by default. */
  readonly versionArgs?: readonly string[] | undefined;
  /** Whether somebody is signed in. By default one of the adapter's credentials has to be set, else it is not known. */
  readonly isSignedIn?: ((facts: CheckupFacts) => SignIn | Promise<SignIn>) | undefined;
}
