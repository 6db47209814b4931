/**
 * How an engine gives its answer:
 * - `whole`: at once, and that is all; `pieces`: the same, byte by byte; `hangs`: the same, but it never ends;
 * - `never`: not at all; `trickle`: blanks for ever, slowly; `flood`: text for ever, as fast as it goes;
 * - `breaks`: half of it, then it is gone.
 */
export type AnswerManner = "whole" | "pieces" | "hangs" | "never" | "trickle" | "flood" | "breaks";

/** What only a command can do. */
export interface CommandBehaviour {
  /** Code it exits with; 3 where the call fails, else 0. */
  readonly exitCode?: number | undefined;
  /** Writes the answer to the place of the result file, the last of its arguments; standard output gets `printed`. */
  readonly toFile?: boolean | undefined;
  /** Printed to standard output before the answer. */
  readonly printed?: string | undefined;
  /** Leaves a process in the background that holds its output open. */
  readonly leavesChild?: boolean | undefined;
  /** Ignores the polite signal. */
  readonly isStubborn?: boolean | undefined;
  /** Replaces a path of the workspace by a link to another path, before it answers. */
  readonly links?: Readonly<Record<string, string>> | undefined;
}

/** What only a service can do. */
export interface ServiceBehaviour {
  /** Status it answers with; 503 where the call fails, else 200. */
  readonly status?: number | undefined;
  /** Headers of its answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the answer is packed by gzip. */
  readonly isPacked?: boolean | undefined;
}

/** What an engine does in one call; plain data. Without `answer`, `text`, `base64` and `echoes` it answers nothing. */
export interface CallBehaviour {
  /** A value that it answers as JSON. */
  readonly answer?: unknown;
  /** A text that it answers as it is. */
  readonly text?: string | undefined;
  /** Bytes that it answers. */
  readonly base64?: string | undefined;
  /** It answers with a result whose final message is what it got: the SessionInput, or the credential. */
  readonly echoes?: "input" | "credential" | undefined;
  /** So many letters stand in the answer where it says `@fill@`. */
  readonly fill?: number | undefined;
  /** How it answers; `whole` by default. */
  readonly manner?: AnswerManner | undefined;
  /** Whether the carrier is told that the call failed. */
  readonly fails?: boolean | undefined;
  /** What it says beside the answer: on standard error, or as the body of a failed call without an answer. */
  readonly diagnostics?: string | undefined;
  /** What it does where it is a command. */
  readonly command?: CommandBehaviour | undefined;
  /** What it does where it is a service. */
  readonly service?: ServiceBehaviour | undefined;
}

/** What the engine behind a transport does; plain data. */
export interface EngineBehaviour {
  /** In its first call, its second, …; the last goes for all that follow. */
  readonly calls: readonly CallBehaviour[];
  /** Whether there is nobody: the command does not exist, nothing listens. */
  readonly isAbsent?: boolean | undefined;
}

/** What an engine got in one call. */
export interface ReceivedCall {
  /** The SessionInput, as it was written or sent. */
  readonly payload: string;
  /** What the setting's `credential` came to. */
  readonly credential?: string | undefined;
  /** Everything else that it can see, as one text: variables and arguments, or headers and body. */
  readonly surroundings: string;
  /** How a command was started. */
  readonly command?: ReceivedCommand | undefined;
  /** How a service was called. */
  readonly request?: ReceivedRequest | undefined;
}

/** How a command was started. */
export interface ReceivedCommand {
  /** The arguments that the case asked for. */
  readonly args: readonly string[];
  /** Absolute path of the folder it was started in. */
  readonly cwd: string;
  /** Absolute path of the input file. */
  readonly inputFile: string;
  /** Its variables. */
  readonly variables: Readonly<Record<string, string>>;
}

/** How a service was called. */
export interface ReceivedRequest {
  /** Its method. */
  readonly method: string;
  /** Path and query of the address. */
  readonly path: string;
  /** Headers in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body. */
  readonly body: Uint8Array;
}

/** What the engine does in a call, by the number of calls before it. */
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
 * The bytes that an engine answers a call with; nothing for no answer. Where the behaviour says `@workspace@`, the
 * answer has the workspace of the SessionInput.
 */
export function answerBytes(behaviour: CallBehaviour, received: ReceivedCall): Uint8Array {
  const { answer, text, base64, echoes, fill = 0 } = behaviour;
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (echoes !== undefined) {
    const heard = echoes === "input" ? received.payload : (received.credential ?? "");
    return Buffer.from(JSON.stringify({ exit_code: 0, final_message: heard }));
  }
  const said = text ?? (answer === undefined ? "" : JSON.stringify(answer));
  const placed = said.includes("@workspace@") ? said.replaceAll("@workspace@", workspaceIn(received.payload)) : said;
  return Buffer.from(fill === 0 ? placed : placed.replace("@fill@", "x".repeat(fill)));
}
