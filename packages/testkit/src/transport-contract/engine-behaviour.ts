/**
 * How a simulated engine sends its response:
 *
 * - `whole`: at once, then the engine ends.
 * - `pieces`: byte by byte.
 * - `hangs`: at once, but the engine never ends.
 * - `never`: not at all.
 * - `trickle`: endless blanks, slowly.
 * - `flood`: endless text, as fast as possible.
 * - `breaks`: half of the response, then the connection or process ends.
 */
export type AnswerManner = "whole" | "pieces" | "hangs" | "never" | "trickle" | "flood" | "breaks";

/** Behaviour specific to commands. */
export interface CommandBehaviour {
  /** Exit code. Default: 3 if the call fails, otherwise 0. */
  readonly exitCode?: number | undefined;
  /** True to write the response to the result file, the last argument. Standard output then contains `printed`. */
  readonly toFile?: boolean | undefined;
  /** Text printed to standard output before the response. */
  readonly printed?: string | undefined;
  /** True to start a background process that outlives the engine and keeps the engine's output stream open. */
  readonly leavesChild?: boolean | undefined;
  /** True if the engine's process ignores SIGTERM. */
  readonly isStubborn?: boolean | undefined;
  /** Paths in the workspace that the engine replaces by links before it responds, with the target of each link. */
  readonly links?: Readonly<Record<string, string>> | undefined;
}

/** Behaviour specific to services. */
export interface ServiceBehaviour {
  /** Response status. Default: 503 if the call fails, otherwise 200. */
  readonly status?: number | undefined;
  /** Response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if the response is compressed with gzip. */
  readonly isPacked?: boolean | undefined;
}

/**
 * Behaviour of a simulated engine in one call, as plain data. Without `answer`, `text`, `base64` and `echoes` its
 * response is empty.
 */
export interface CallBehaviour {
  /** Response value, sent as JSON. */
  readonly answer?: unknown;
  /** Response text, sent unchanged. */
  readonly text?: string | undefined;
  /** Response bytes. */
  readonly base64?: string | undefined;
  /**
   * Makes the engine return a part of its input as the final message of its result: the SessionInput, or the
   * credential.
   */
  readonly echoes?: "input" | "credential" | undefined;
  /** Number of letters that replace the placeholder `@fill@` in the response. */
  readonly fill?: number | undefined;
  /** How the response is sent. Default: `whole`. */
  readonly manner?: AnswerManner | undefined;
  /** True if the call fails at the transport level. */
  readonly fails?: boolean | undefined;
  /** Additional output: on standard error, or as the body of a failed call without a response. */
  readonly diagnostics?: string | undefined;
  /** Behaviour of an engine that is a command. */
  readonly command?: CommandBehaviour | undefined;
  /** Behaviour of an engine that is an HTTP service. */
  readonly service?: ServiceBehaviour | undefined;
}

/** Behaviour of the engine behind a transport, as plain data. */
export interface EngineBehaviour {
  /** Behaviour in each call. The last behaviour is repeated for further calls. */
  readonly calls: readonly CallBehaviour[];
  /** True if the engine does not exist: no such command, or no listening service. */
  readonly isAbsent?: boolean | undefined;
}

/** Inputs an engine received in one call. */
export interface ReceivedCall {
  /** The SessionInput as the engine received it, in a file or a request. */
  readonly payload: string;
  /** The `credential` option, with its references resolved. */
  readonly credential?: string | undefined;
  /**
   * Everything else that the engine received, as one text: environment variables and arguments, or headers and body.
   */
  readonly surroundings: string;
  /** Start of a command. */
  readonly command?: ReceivedCommand | undefined;
  /** Request to a service. */
  readonly request?: ReceivedRequest | undefined;
}

/** Start of a command. */
export interface ReceivedCommand {
  /** Command-line arguments that the conformance case requested. */
  readonly args: readonly string[];
  /** Absolute path of the engine's working folder. */
  readonly cwd: string;
  /** Absolute path of the input file. */
  readonly inputFile: string;
  /** Variables of the process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Request to a service. */
export interface ReceivedRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Complete body. */
  readonly body: Uint8Array;
}

/** Returns how the engine behaves in its next call. `index` is the number of earlier calls. */
export function behaviourOfCall({ calls }: EngineBehaviour, index: number): CallBehaviour {
  return calls[index] ?? calls.at(-1) ?? {};
}

function workspaceIn(payload: string): string {
  try {
    const input: unknown = JSON.parse(payload);
    const workspace: unknown =
      typeof input === "object" && input !== null ? Reflect.get(input, "workspace") : undefined;
    return typeof workspace === "string" ? workspace : "";
  } catch {
    return "";
  }
}

/**
 * Returns the bytes of a simulated engine's response. Empty if the engine sends none. `@workspace@` in the behaviour is
 * replaced by the workspace of the SessionInput.
 */
export function answerBytes(behaviour: CallBehaviour, received: ReceivedCall): Uint8Array {
  const { answer, text, base64, echoes, fill = 0 } = behaviour;
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (echoes !== undefined) {
    const echoed = echoes === "input" ? received.payload : (received.credential ?? "");
    return Buffer.from(JSON.stringify({ exit_code: 0, final_message: echoed }));
  }
  const body = text ?? (answer === undefined ? "" : JSON.stringify(answer));
  const placed = body.includes("@workspace@") ? body.replaceAll("@workspace@", workspaceIn(received.payload)) : body;
  return Buffer.from(fill === 0 ? placed : placed.replace("@fill@", "x".repeat(fill)));
}
