import { isHarmlessSedScript } from "./sed-script.ts";

/** Parts of an awk program that run commands, write files or load code. See gawk(1), I/O STATEMENTS. */
const AWK_EFFECT = /system|getline|close|fflush|[|@]|print[\s\S]*>|>[\s\S]*print/;
const URL_START = /^https?:\/\//i;

/** Returns true if a path certainly stays below the current folder. Symbolic links on the path are not considered. */
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
   * A path below the current folder, with `::` and the name of a test or with a line number. Rejects `@file`, which
   * contains further arguments.
   */
  tests: {
    fits: (text) => isInside(text.replace(/::.*$|(?::\d+)+$/s, "")) && !text.startsWith("@"),
    problem: "may be arguments, or outside the workspace",
  },
  /** Like `writes`, for programs that read further arguments from `@file`. */
  inputs: {
    fits: (text) => isInside(text) && !text.startsWith("@"),
    problem: "may be arguments, or outside the workspace",
  },
  /** Name of a script in a manifest, and not of a file. */
  task: { fits: (text) => /^\w[\w:.-]*$/.test(text) && !/\.[cm]?[jt]sx?$/i.test(text), problem: "may be any file" },
  /** Format of a coverage report that is printed. */
  coverage: { fits: (text) => /^(?:term|term-missing)$/.test(text), problem: "can change any file" },
  /** Target of make, or a variable that is a number or switch, such as `V=1`. */
  goal: {
    fits: (text) => /^\w[\w.@%+/-]*$|^\w+=(?:\d+|yes|no|true|false|on|off)$/.test(text) && !text.includes(".."),
    problem: "is not a plain name",
  },
  /** Target of Gradle or Bazel. */
  target: {
    fits: (text) => /^(?:\/\/|@|:)?[\w.:/-]+$/.test(text) && !/^\/[^/]|\.\.\//.test(text),
    problem: "is not a target",
  },
  /** Property of Maven that selects tests. */
  property: {
    fits: (text) => /^(?:skipTests|skipITs|maven\.test\.skip)(?:=(?:true|false))?$|^test=[\w.*#,+]+$/.test(text),
    problem: "can run any program",
  },
  /**
   * Name of a compilation target. Rejects paths: a path names a description file, which can specify a linker to run.
   */
  triple: { fits: (text) => /^[\w-]+$/.test(text), problem: "may be a file" },
  /** Built-in reporter of a test runner. Any other name may be a module. */
  reporter: {
    fits: (text) => /^(?:default|verbose|dot|basic|json|junit|tap|tap-flat|min|spec|list|github-actions)$/.test(text),
    problem: "may be any module",
  },
  /** Argument of rustfmt. */
  formatting: { fits: (text) => text === "--check", problem: "is an option of the formatter" },
  /** Setting to read. The word `edit` starts an editor. */
  key: { fits: (text) => text !== "edit", problem: "can run any program" },
  /** Subcommands that only read. */
  list: { fits: (text) => text === "list", problem: "can change any file" },
  status: { fits: (text) => text === "status", problem: "can run any program" },
  "get-url": { fits: (text) => text === "get-url", problem: "can change any file" },
  get: { fits: (text) => text === "get", problem: "can change any file" },
  query: { fits: (text) => /^(?:list|view|status|diff|checks)$/.test(text), problem: "can change data" },
  "compose-query": {
    fits: (text) => /^(?:ps|logs|ls|images|top|port|version)$/.test(text),
    problem: "can run any program",
  },
  /** Lint level for a compiler, such as `-D warnings`. */
  lint: { fits: (text) => /^(?:-[DWAF][\w:-]*|\w[\w:-]*)$/.test(text), problem: "is an option of the compiler" },
  /** Argument of a test program. `--logfile` of Rust's test programs writes a file. */
  testing: { fits: (text) => !/^--?log/.test(text), problem: "can change any file" },
  /**
   * A refspec for `git fetch`. Rejects `+`, which replaces commits of a branch, and patterns, which `--prune` applies.
   */
  fetched: {
    fits: (text) => !/^\+|\*/.test(text),
    problem: "can delete or replace commits of local branches",
  },
  /** Subcommand of `git stash`. */
  stash: {
    fits: (text) => !/^(?:drop|clear)$/.test(text),
    problem: "deletes changes that cannot be restored",
  },
  /**
   * A source file in the workspace. Rejects `@file`, which some programs read further arguments from. Rejects `true`,
   * `false` and `null`, which may be the value of the preceding option.
   */
  source: {
    fits: (text) => isInside(text) && !/^(?:@|true$|false$|null$)/i.test(text),
    problem: "may be arguments, or outside the workspace",
  },
  /** A package in a registry. Rejects `owner/repository`, which names a repository, and archive files. */
  package: {
    fits: (text) => /^(?:@\w[\w.-]*\/)?\w[\w.-]*(?:@[\w.^~-]+)?$/.test(text) && !/\.(?:tgz|tar|tar\.gz)$/i.test(text),
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
