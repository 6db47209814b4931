import type { Program } from "../program.ts";

function language(names: readonly string[], source: string, more: Partial<Program> = {}): Program {
  return {
    names,
    source,
    stops: true,
    operands: "script any",
    effects: ["run"],
    isNamedOnly: true,
    hides: "inline",
    ...more,
  };
}

/** Interpreters: a rule covers the scripts that it names. */
export const LANGUAGE_ROWS: readonly Program[] = [
  language(["python", "python3", "python2", "pypy", "pypy3", "ipython"], "python(1)", {
    options: "--version|-V -u -B -I -s -S -E -O -q -W: -b",
    risks: { run: "-c: -m:module -i -X: -x" },
  }),
  language(["node", "nodejs"], "node(1)", {
    style: "words",
    options:
      "--version|-v --no-warnings --trace-warnings --enable-source-maps --test --test-name-pattern: --trace-uncaught",
    risks: {
      run: "-e|--eval: -p|--print: -pe: -r|--require: --import: --loader|--experimental-loader: -i|--interactive --inspect? --inspect-brk? --env-file: --run: --test-reporter: --openssl-config: --experimental-config-file:",
      write:
        "--cpu-prof --heap-prof --diagnostic-dir: --redirect-warnings: --test-reporter-destination: --report-dir: --trace-event-file-pattern: --build-snapshot",
    },
  }),
  language(["perl"], "perlrun(1)", {
    options: "-v -w -c",
    risks: { run: "-e: -E: -M: -m: -d? -x -s -I: -n -p -a -l -S -T", write: "-i?" },
  }),
  language(["ruby", "irb", "jruby"], "ruby(1)", {
    options: "--version|-v -w",
    risks: { run: "-e: -r: -I: -x -S -n -p -a -l -s", write: "-i?", elsewhere: "-C: -X:" },
  }),
  language(["php"], "php(1)", {
    options: "--version|-v -l",
    risks: { run: "-r: -B: -R: -F: -E: -a -c: -d: -f: -z: -S:" },
  }),
  language(["lua", "luajit", "texlua"], "lua(1)", { options: "-v", risks: { run: "-e: -l: -i" } }),
  language(["deno"], "https://docs.deno.com/runtime/reference/cli/", { options: "--version|-V" }),
  language(
    [
      "tclsh",
      "wish",
      "expect",
      "Rscript",
      "R",
      "osascript",
      "guile",
      "racket",
      "sbcl",
      "clisp",
      "ghci",
      "runghc",
      "scala",
      "groovy",
      "jshell",
      "julia",
      "octave",
      "elixir",
      "iex",
      "erl",
      "ocaml",
      "swipl",
      "gnuplot",
      "bc",
      "dc",
      "m4",
      "java",
    ],
    "manuals of these interpreters",
    {
      options: "--version",
      risks: { run: "-e: -c: --eval: -i" },
    },
  ),
  {
    names: [
      "sh",
      "bash",
      "dash",
      "ash",
      "zsh",
      "ksh",
      "mksh",
      "fish",
      "csh",
      "tcsh",
      "rbash",
      "yash",
      "nu",
      "elvish",
      "xonsh",
    ],
    source: "bash(1), sh(1): OPTIONS and INVOCATION",
    stops: true,
    operands: "script any",
    effects: ["run"],
    isNamedOnly: true,
    options: "--version -e -u -x -n -v",
    risks: {
      run: "-c -i -l|--login -s -p --rcfile|--init-file: --posix --norc --noprofile -O: -o: -r -a -b -f -h -k -m -t -B -C -E -H -P -T",
    },
    wraps: { lineOption: "-c" },
    hides: "always",
  },
  {
    names: ["pwsh", "powershell", "cmd"],
    source: "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_pwsh",
    never: "run",
    hides: "always",
  },
  {
    names: ["eval"],
    source: "bash(1), SHELL BUILTIN COMMANDS",
    never: "run",
    stops: true,
    wraps: { skip: 0, isLine: true },
    hides: "always",
  },
  {
    names: ["source", "."],
    source: "bash(1), SHELL BUILTIN COMMANDS",
    stops: true,
    operands: "script any",
    effects: ["run"],
    isNamedOnly: true,
    hides: "always",
  },
  {
    names: ["trap"],
    source: "bash(1), SHELL BUILTIN COMMANDS",
    never: "run",
    stops: true,
    wraps: { skip: 0, isLine: true },
    hides: "always",
  },
];
