import { EngineError, type ExecutionEnvironment, type GrepMatch, type GrepOptions } from "@switchyard/contracts";
import { but, type Making, pause, type WrongEnvironment } from "./wrong-environment.ts";

function searching(change: (options: GrepOptions) => GrepOptions): (making: Making) => Partial<ExecutionEnvironment> {
  return ({ right }) => ({ grep: (pattern, options = {}) => right.grep(pattern, change(options)) });
}

function finding(
  change: (matches: readonly GrepMatch[]) => GrepMatch[],
): (making: Making) => Partial<ExecutionEnvironment> {
  return ({ right }) => ({
    grep: async (pattern, options) => {
      const { matches, truncated } = await right.grep(pattern, options);
      return { matches: change(matches), truncated };
    },
  });
}

function isInvalid(error: unknown): boolean {
  return EngineError.is(error, "environment.invalid_pattern");
}

/** Environments that search wrongly. */
export const wrongSearching: readonly WrongEnvironment[] = [
  {
    fault: "hidden files are not searched",
    noticedBy: ["grep-lines", "grep-filter"],
    factory: but(finding((matches) => matches.filter(({ path }) => !path.startsWith(".")))),
  },
  {
    fault: "files are searched as they come",
    noticedBy: ["grep-lines", "grep-filter", "golden-searches"],
    factory: but(finding((matches) => [...matches].reverse())),
  },
  {
    fault: "case is always ignored",
    noticedBy: ["grep-case", "grep-lines"],
    factory: but(searching((options) => ({ ...options, caseInsensitive: true }))),
  },
  {
    fault: "what is ignored is not searched when it is named either",
    noticedBy: ["grep-where"],
    factory: but(finding((matches) => matches.filter(({ path }) => !path.startsWith("ignored/")))),
  },
  {
    fault: "files are not narrowed",
    noticedBy: ["grep-filter", "grep-refused"],
    factory: but(searching((options) => ({ ...options, glob: undefined }))),
  },
  {
    fault: "a search has one mode",
    noticedBy: ["grep-modes", "golden-searches"],
    factory: but(searching((options) => ({ ...options, mode: "content" }))),
  },
  {
    fault: "there is no context",
    noticedBy: ["grep-context", "golden-searches"],
    factory: but(searching((options) => ({ ...options, contextLines: 0 }))),
  },
  {
    fault: "nobody is told that there is more",
    noticedBy: ["grep-limit", "grep-context"],
    factory: but(({ right }) => ({
      grep: async (pattern, options) => ({ ...(await right.grep(pattern, options)), truncated: false }),
    })),
  },
  {
    fault: "hidden files are searched",
    noticedBy: ["grep-hidden"],
    factory: but(searching((options) => ({ ...options, isHidden: undefined }))),
  },
  {
    fault: "hidden files count, though they are not shown",
    noticedBy: ["grep-hidden"],
    factory: but(({ right }) => ({
      grep: async (pattern, options) => {
        const { matches, truncated } = await right.grep(pattern, { ...options, isHidden: undefined });
        return { matches: matches.filter(({ path }) => options?.isHidden?.(path) !== true), truncated };
      },
    })),
  },
  {
    fault: "an expression that is none matches nothing",
    noticedBy: ["grep-refused"],
    factory: but(({ right }) => ({
      grep: (pattern, options) =>
        right.grep(pattern, options).catch((error: unknown) => {
          if (isInvalid(error)) return { matches: [], truncated: false };
          throw error;
        }),
    })),
  },
  {
    fault: "a pattern may be an option",
    noticedBy: ["grep-dashes"],
    factory: but(({ right }) => ({
      grep: async (pattern, options) =>
        pattern.startsWith("-") ? { matches: [], truncated: false } : right.grep(pattern, options),
    })),
  },
  {
    fault: "some expressions take long",
    noticedBy: ["grep-catastrophic"],
    factory: but(({ right }) => ({
      grep: async (pattern, options) => {
        if (/\+\)\+/.test(pattern)) await pause(2_200);
        return right.grep(pattern, options);
      },
    })),
  },
  {
    fault: "files with a NUL anywhere are left out",
    noticedBy: ["grep-binary"],
    factory: but(finding((matches) => matches.filter(({ path }) => !path.endsWith(".dat")))),
  },
  {
    fault: "a carriage return is part of the line",
    noticedBy: ["grep-encodings"],
    factory: but(finding((matches) => matches.map((match) => ({ ...match, text: `${match.text}\r` })))),
  },
  {
    fault: "lines are cut at eighty characters",
    noticedBy: ["grep-long-lines"],
    factory: but(finding((matches) => matches.map((match) => ({ ...match, text: match.text.slice(0, 80) })))),
  },
  {
    fault: "searches are not ended",
    noticedBy: ["grep-signal"],
    factory: but(searching((options) => ({ ...options, signal: undefined }))),
  },
  {
    fault: "names are compared without their case",
    noticedBy: ["glob-patterns"],
    factory: but(({ right }) => ({ glob: (pattern, options) => right.glob(pattern.toLowerCase(), options) })),
  },
  {
    fault: "paths are told from the searched folder",
    noticedBy: ["glob-where"],
    factory: but(({ right }) => ({
      glob: async (pattern, options) => {
        const paths = await right.glob(pattern, options);
        return options?.path === undefined ? paths : paths.map((path) => path.slice(path.indexOf("/") + 1));
      },
    })),
  },
  {
    fault: "found files are sorted by name",
    noticedBy: ["glob-order", "glob-newest"],
    factory: but(({ right }) => ({ glob: async (pattern, options) => (await right.glob(pattern, options)).sort() })),
  },
  {
    fault: "as many files come back as there are",
    noticedBy: ["glob-limit", "glob-order"],
    factory: but(({ right }) => ({ glob: (pattern, options) => right.glob(pattern, { path: options?.path }) })),
  },
  {
    fault: "a pattern that is none finds nothing",
    noticedBy: ["glob-refused"],
    factory: but(({ right }) => ({
      glob: (pattern, options) =>
        right.glob(pattern, options).catch((error: unknown) => {
          if (isInvalid(error)) return [];
          throw error;
        }),
    })),
  },
  {
    fault: "many stars take long",
    noticedBy: ["glob-catastrophic"],
    factory: but(({ right }) => ({
      glob: async (pattern, options) => {
        if (pattern.split("*").length > 20) await pause(2_200);
        return right.glob(pattern, options);
      },
    })),
  },
];
