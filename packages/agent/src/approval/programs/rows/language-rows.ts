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

const NAMED = { effects: ["run"], isNamedOnly: true } as const;

/** Interpreters. A rule covers only scripts whose names it spells out. */
export const LANGUAGE_ROWS: readonly Program[] = [
  language(["python", "python3", "python2", "pypy", "pypy3", "ipython"], "python(1)", {
    isOne: true,
    options: "--version|-V -u -B -I -s -S -E -O -q -b",
    // `-W` counts as running code, because Python imports the module that a warning category names.
    risks: { run: "-c: -m:module -i -X: -x -W:" },
  }),
  language(["node", "nodejs"], "node(1)", {
    isOne: true,
    style: "words",
    options: "--version|-v --no-warnings --trace-warnings --enable-source-maps --trace-uncaught",
    risks: {
      run: "--test --test-name-pattern: -e|--eval: -p|--print: -pe: -r|--require: --import: --loader|--experimental-loader: -i|--interactive --inspect? --inspect-brk? --env-file: --run: --test-reporter: --openssl-config: --experimental-config-file:",
      write:
        "--cpu-prof --heap-prof --diagnostic-dir: --redirect-warnings: --test-reporter-destination: --report-dir: --trace-event-file-pattern: --build-snapshot",
    },
  }),
  language(["tsx", "ts-node"], "https://tsx.is, https://typestrong.org/ts-node/docs/options", {
    style: "words",
    options: "--version|-v",
    risks: { run: "-e|--eval: -p|--print: -r|--require: --import: -C|--compiler: --tsconfig:" },
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
  {
    names: ["deno"],
    source: "https://docs.deno.com/runtime/reference/cli/",
    options: "--version|-V",
    risks: {
      run: "--preload: --import: --import-map: --env-file? --node-modules-dir? -A|--allow-all --allow-run? --allow-ffi?",
      elsewhere: "-c|--config: --cwd:",
      write: "--allow-write? --coverage? --lock? --junit-path:",
      connect: "--allow-net? -r|--reload? --inspect? --inspect-brk?",
    },
    commands: {
      test: {
        options: "-q|--quiet --no-check --fail-fast? --filter: --parallel --allow-read? --allow-env? --allow-sys?",
        operands: "tests",
        ...NAMED,
      },
      bench: { options: "-q|--quiet --no-check --filter: --json", operands: "tests", ...NAMED },
      check: { options: "-q|--quiet --all", operands: "source", ...NAMED },
      // The linter runs the project's lint plugins.
      lint: { options: "-q|--quiet --json --compact --fix", operands: "inputs", ...NAMED },
      fmt: { options: "-q|--quiet --check", operands: "inputs", effects: ["write"] },
      task: { options: "-q|--quiet", operands: "task any", ...NAMED },
      run: { options: "-q|--quiet --no-check", operands: "script any", ...NAMED },
      eval: { never: "run" },
      repl: { never: "run" },
    },
    hides: "inline",
  },
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
      "ghc",
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
