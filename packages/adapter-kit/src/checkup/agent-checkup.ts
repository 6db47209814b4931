/**
 * Local checks from which an adapter determines whether its agent is ready. They call neither a model nor the network.
 */
export interface CheckupFacts {
  /**
   * Returns true if an environment variable is set on the host and passed to the agent, because the adapter or its
   * configuration block names it.
   */
  has(variable: string): boolean;
  /** Resolves with true if a path below the user's home exists. */
  homeHas(path: string): Promise<boolean>;
  /**
   * Runs the agent's command with these arguments, for at most five seconds; `undefined` if the command cannot be run.
   * Contract: callers pass only arguments that cost nothing and contact no server.
   */
  run(args: readonly string[]): Promise<CheckupAnswer | undefined>;
  /**
   * Runs another program that can report the authentication state, such as `gh`. The same limits apply as for `run`.
   */
  runProgram(argv: readonly string[]): Promise<CheckupAnswer | undefined>;
}

/** Output of a command. */
export interface CheckupAnswer {
  /** Exit code. */
  readonly exitCode: number;
  /** Combined text of standard output and standard error. */
  readonly output: string;
}

/** Authentication state of an agent, as far as it can be determined locally. */
export interface Authentication {
  /** Whether the user is authenticated. `unknown` if the state cannot be determined. */
  readonly state: "yes" | "no" | "unknown";
  /** Name of the variable or file from which the state was determined. Never contains the value. */
  readonly by?: string | undefined;
}

/**
 * How to install an agent, and how to check that the agent is ready. All fields are optional. See agent-adapter:
 * credential preflight.
 */
export interface AgentCheckup {
  /** How to install the command: a command line, or the URL of a page. */
  readonly install?: string | undefined;
  /** How to authenticate: a command line, or the name of an environment variable. */
  readonly login?: string | undefined;
  /** Arguments that print the version. Default: `--version`. */
  readonly versionArgs?: readonly string[] | undefined;
  /**
   * Returns the authentication state. Default: authenticated if one of the adapter's credentials is set, else unknown.
   */
  readonly checkAuthentication?: ((facts: CheckupFacts) => Authentication | Promise<Authentication>) | undefined;
}
