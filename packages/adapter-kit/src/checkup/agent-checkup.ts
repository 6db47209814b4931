/** Checks that show whether an agent is ready on this machine, without calling a model or the network. */
export interface CheckupFacts {
  /** Returns true if a variable is set that the adapter or its configuration block names. */
  has(variable: string): boolean;
  /** Resolves with true if a path below the user's home exists. */
  homeHas(path: string): Promise<boolean>;
  /**
   * Runs the agent's command with these arguments, for at most five seconds; `undefined` if it cannot be run. Contract
   * for the caller: only arguments that cost nothing and contact no server.
   */
  run(args: readonly string[]): Promise<CheckupAnswer | undefined>;
  /** Runs another program that knows the authentication state, with the same rules. */
  runProgram(argv: readonly string[]): Promise<CheckupAnswer | undefined>;
}

/** Output of a command. */
export interface CheckupAnswer {
  /** Exit code. */
  readonly exitCode: number;
  /** Output on both streams. */
  readonly output: string;
}

/** Authentication state that can be determined locally. */
export interface SignIn {
  /** Whether the user is authenticated; `unknown` if that cannot be determined. */
  readonly state: "yes" | "no" | "unknown";
  /** Name of the variable or file that shows it, never its value. */
  readonly by?: string | undefined;
}

/** How to install an agent and check that it is ready; all fields are optional. agent-adapter: credential preflight. */
export interface AgentCheckup {
  /** How to install the command: a command line, or the URL of a page. */
  readonly install?: string | undefined;
  /** How to authenticate: a command line, or the name of a variable. */
  readonly signIn?: string | undefined;
  /** Arguments that print the version. Default: `--version`. */
  readonly versionArgs?: readonly string[] | undefined;
  /**
   * Returns the authentication state. Default: authenticated if one of the adapter's credentials is set, else unknown.
   */
  readonly isSignedIn?: ((facts: CheckupFacts) => SignIn | Promise<SignIn>) | undefined;
}
