import { isHarmlessSedScript } from "./sed-script.ts";

/** Parts of an awk program that run commands, write files or load code. See gawk(1), I/O STATEMENTS. */
const AWK_EFFECT = /system|getline|close|fflush|[|>@]/;
const URL_START = /^https?:\/\//i;

/** Returns true if a path certainly stays below the current folder, apart from links on the way. */
function isInside(path: string): boolean {
  if (path === "" || /^[/~-]|[:\\]/.test(path)) return false;
  // Rejects paths with a segment `.` or `..`. For example, `cp -r folder/. .` does not show which names it writes.
  return (
    path === "." ||
    path
      .replace(/^\.\//, "")
      .split("/")
      .every((name) => name !== ".." && name !== ".")
  );
}

type Check = (text: string) => boolean;

/**
 * Kinds of option values and operands that `ProgramForm` can require. Each has a validation function, and the problem
 * to report if validation fails.
 */
const KINDS: Readonly<Record<string, { readonly fits: Check; readonly problem: string }>> = {
  none: { fits: () => false, problem: "is a file that it would write" },
  any: { fits: () => true, problem: "" },
  writes: { fits: isInside, problem: "may write outside the workspace" },
  local: {
    fits: (text) => !text.includes(":") && !text.startsWith("|"),
    problem: "may reach the network or run a program",
  },
  name: { fits: (text) => /^\w[\w.@%+/-]*$/.test(text) && !text.includes(".."), problem: "is not a plain name" },
  /**
   * Only conventional names of git remotes. Any other name may also be a local repository, whose hooks `git push` runs.
   */
  remote: { fits: (text) => text === "origin" || text === "upstream", problem: "may be any address or folder" },
  refspec: {
    fits: (text) => !/^[+:]/.test(text),
    problem: "can delete or replace commits of the remote",
  },
  /**
   * A source file in the workspace. Rejects `@file`, which some programs read further arguments from. Rejects `true`
   * and `false`, which may be the value of the preceding option.
   */
  source: {
    fits: (text) => isInside(text) && !/^(?:@|true$|false$)/i.test(text),
    problem: "may be arguments, or outside the workspace",
  },
  package: {
    fits: (text) => /^@?\w[\w.-]*(?:\/\w[\w.-]*)?(?:@[\w.^~-]+)?$/.test(text),
    problem: "is not a plain package name",
  },
  format: { fits: (text) => text.startsWith("+"), problem: "can set the clock" },
  sed: { fits: isHarmlessSedScript, problem: "is a script that may run programs or write files" },
  awk: { fits: (text) => !AWK_EFFECT.test(text), problem: "is a program that may run others or write files" },
  url: { fits: (text) => URL_START.test(text), problem: "is not an http address" },
  header: { fits: (text) => !text.startsWith("@"), problem: "reads a file" },
  /** A script, which is covered only by a rule that spells out its name. */
  script: { fits: () => false, problem: "can run any program; name it in the rule" },
};

/** Returns why approval rules do not cover an option value or operand of this kind. `undefined` if they cover it. */
export function problemOfValue(text: string, kind: string): string | undefined {
  const check = KINDS[kind];
  if (check === undefined) return "has an unknown kind";
  return check.fits(text) ? undefined : check.problem;
}

/** Names of all kinds of option values and operands. */
export const VALUE_KINDS: readonly string[] = Object.keys(KINDS);
