import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { RemoteShellResponse } from "./shell/remote-shell.ts";

const NUL = 0;

/** Capabilities of a remote environment that were determined when it was opened. */
export interface RemoteFacts {
  readonly platform: ExecutionEnvironment["platform"];
  /** Version of the operating system. */
  readonly release: string;
  /** Path of ripgrep in the remote environment. `undefined` if it is not installed. */
  readonly ripgrep: string | undefined;
  /** Path of bash in the remote environment. `undefined` if it is not installed. */
  readonly bash: string | undefined;
  /** Option with which the remote `stat` accepts a format: `C`, `c` or `f`. */
  readonly stat: string;
  /**
   * Path of a folder that lists a process's open files by descriptor, such as `/proc/self/fd`. Empty if the system has
   * none.
   */
  readonly descriptors: string;
  /** True if `dd` can read an exact number of bytes. */
  readonly takesExactly: boolean;
  /** Program that starts a command in a new session: `setsid` or `perl`. Empty if neither is installed. */
  readonly session: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Variables of the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Parses the response to a `facts` request, in which the remote script reports the capabilities of its environment. */
export function parseFacts({ data }: Pick<RemoteShellResponse, "data">): RemoteFacts {
  const end = data.indexOf(NUL);
  const lines = data.toString("utf8", 0, end).split("\n");
  const [system = "", release = "", ripgrep = "", bash = "", stat = "c", descriptors = "", exact = ""] = lines;
  return {
    platform: system === "Darwin" ? "darwin" : "linux",
    release,
    ripgrep: ripgrep || undefined,
    bash: bash || undefined,
    stat,
    descriptors,
    takesExactly: exact === "dd",
    session: lines[8] ?? "",
    root: lines.slice(9).join("\n"),
    variables: parseVariables(data.toString("utf8", end + 1)),
  };
}

function parseVariables(text: string): Record<string, string> {
  const entries = text.split("\0").flatMap((entry): [string, string][] => {
    const at = entry.indexOf("=");
    return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
  });
  return Object.fromEntries(entries);
}
