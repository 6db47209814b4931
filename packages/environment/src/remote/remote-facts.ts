import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { LaneResponse } from "./lane/lane.ts";

const NUL = 0;

/** What a place has. */
export interface RemoteFacts {
  readonly platform: ExecutionEnvironment["platform"];
  /** Version of the operating system. */
  readonly release: string;
  /** Path of ripgrep, where it is there. */
  readonly ripgrep: string | undefined;
  /** Path of bash, where it is there. */
  readonly bash: string | undefined;
  /** How `stat` takes a format: `C`, `c` or `f`. */
  readonly stat: string;
  /** Where open files are found by their descriptor; empty where nowhere. */
  readonly descriptors: string;
  /** Whether `dd` takes exactly as many bytes as it is told to. */
  readonly takesExactly: boolean;
  /** What starts a new session: `setsid`, `perl` or nothing. */
  readonly session: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Variables of the place. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads the answer of the operation `facts`. */
export function parseFacts({ data }: Pick<LaneResponse, "data">): RemoteFacts {
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
