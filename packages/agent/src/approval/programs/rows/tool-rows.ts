import type { Program, ProgramForm } from "../program.ts";

const BUILDS = { effects: ["run", "write", "connect"], isNamedOnly: true } as const;
const TESTS: ProgramForm = { options: "-q|--quiet -v|--verbose", operands: "tests", ...BUILDS };
const COMPILES: ProgramForm = { options: "-q|--quiet -v|--verbose", operands: "", ...BUILDS };

/** Formatters and linters without plugins. They read and write files in the workspace. */
const FORMATTER_ROWS: readonly Program[] = [
  {
    names: ["gofmt"],
    source: "https://pkg.go.dev/cmd/gofmt",
    style: "words",
    options: "-l -w -d -s -e -r:",
    operands: "writes",
    effects: ["write"],
    risks: { write: "-cpuprofile:" },
  },
  {
    names: ["goimports"],
    source: "https://pkg.go.dev/golang.org/x/tools/cmd/goimports",
    style: "words",
    options: "-l -w -d -e -v -format-only -local:",
    operands: "writes",
    effects: ["write"],
    risks: { write: "-cpuprofile: -memprofile: -trace:", elsewhere: "-srcdir:" },
  },
  {
    names: ["rustfmt"],
    source: "https://github.com/rust-lang/rustfmt",
    options: "--check --edition: -l|--files-with-diff -q|--quiet -v|--verbose",
    operands: "writes",
    effects: ["write"],
    risks: { elsewhere: "--config-path: --config:" },
  },
  {
    names: ["shfmt"],
    source: "shfmt(1)",
    style: "words",
    options: "-l|--list -w|--write -d|--diff -i|--indent: -s|--simplify -ln: -p -bn -ci -sr -kp -fn",
    operands: "writes",
    effects: ["write"],
  },
  {
    names: ["clang-format"],
    source: "https://clang.llvm.org/docs/ClangFormat.html",
    style: "words",
    options: "-i -n|--dry-run --Werror --verbose -style|--style? -sort-includes|--sort-includes?",
    operands: "inputs",
    effects: ["write"],
  },
  {
    names: ["shellcheck"],
    source: "shellcheck(1)",
    options: "-f|--format: -s|--shell: -e|--exclude: -i|--include: -S|--severity: -x|--external-sources -a -C|--color?",
  },
  {
    names: ["golangci-lint"],
    source: "https://golangci-lint.run/docs/configuration/cli/",
    options: "",
    risks: { run: "-c|--config:", write: "--cpu-profile-path: --mem-profile-path: --trace-path:" },
    commands: { run: { options: "-v|--verbose --fix --timeout: --fast --new", operands: "inputs", ...BUILDS } },
  },
];

/** Build tools with subcommands, some of which run any program text. */
const BUILD_TOOL_ROWS: readonly Program[] = [
  {
    names: ["mix"],
    source: "https://hexdocs.pm/mix: `mix run` and `mix eval` run any program text",
    options: "--version|-v",
    commands: {
      test: {
        options: "--trace --failed --stale --cover --seed: --only: --exclude: --include: --max-failures:",
        operands: "tests",
        ...BUILDS,
      },
      compile: { options: "--warnings-as-errors --force", operands: "", ...BUILDS },
      format: { options: "--check-formatted --dry-run", operands: "writes", ...BUILDS },
    },
  },
  {
    names: ["rails"],
    source: "https://guides.rubyonrails.org/command_line.html: `rails runner` runs any program text",
    options: "--version|-v",
    commands: { test: TESTS, routes: { options: "-g: -c:", operands: "", ...BUILDS } },
  },
  {
    names: ["dart", "flutter"],
    source: "https://dart.dev/tools/dart-tool, https://docs.flutter.dev/reference/flutter-cli",
    options: "--version",
    commands: {
      test: { ...TESTS, options: "--coverage --name|-n: --plain-name: --no-pub" },
      analyze: { options: "--fatal-infos --fatal-warnings --no-pub", operands: "inputs", ...BUILDS },
      format: { options: "--set-exit-if-changed", operands: "writes", effects: ["write"] },
    },
  },
  {
    names: ["dotnet"],
    source: "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
    options: "--version",
    commands: Object.fromEntries(
      ["test", "build", "restore"].map((name) => [
        name,
        {
          options:
            "--filter: --no-build --no-restore --nologo -c|--configuration: -f|--framework: -v|--verbosity: --no-incremental",
          operands: "inputs",
          ...BUILDS,
        },
      ]),
    ),
  },
  {
    names: ["swift"],
    source: "https://docs.swift.org/swiftpm/documentation/packagemanagerdocs/",
    options: "--version",
    commands: {
      test: {
        options: "--filter: --skip: --parallel -c|--configuration: -v|--verbose -q|--quiet",
        operands: "",
        ...BUILDS,
      },
      build: { options: "-c|--configuration: -v|--verbose -q|--quiet --product: --target:", operands: "", ...BUILDS },
    },
  },
  {
    names: ["bazel", "bazelisk"],
    isOne: true,
    source: "https://bazel.build/reference/command-line-reference",
    options: "",
    risks: { run: "--run_under:", elsewhere: "--bazelrc: --output_base: --output_user_root:" },
    commands: Object.fromEntries(
      ["test", "build", "query"].map((name) => [
        name,
        {
          options: "--test_output: --test_filter: -k|--keep_going -c|--compilation_mode:",
          operands: "target",
          ...BUILDS,
        },
      ]),
    ),
  },
  {
    names: ["playwright"],
    source: "https://playwright.dev/docs/test-cli",
    options: "--version|-V",
    commands: {
      test: {
        options: "--headed --project: -g|--grep: -j|--workers: --retries: --list --last-failed -x",
        operands: "tests",
        ...BUILDS,
      },
    },
  },
  {
    names: ["turbo"],
    source: "https://turborepo.com/docs/reference/run",
    options: "--version",
    commands: { run: { options: "-F|--filter: --force --no-cache --parallel", operands: "task", ...BUILDS } },
  },
  {
    names: ["stack", "dune", "rebar3", "lein", "gleam"],
    source: "manuals of these programs: their other subcommands run any program text or program",
    options: "--version",
    commands: {
      ...{ test: COMPILES, build: COMPILES, check: COMPILES, compile: COMPILES, eunit: COMPILES, ct: COMPILES },
    },
  },
];

/** Modules of Python's library that `python -m` runs. */
const MODULE_ROWS: readonly Program[] = [
  {
    names: ["json.tool"],
    source: "https://docs.python.org/3/library/json.html: the second operand is the output file",
    options: "--sort-keys --no-ensure-ascii --json-lines --indent: --tab --no-indent --compact",
    operands: "any none",
  },
  {
    names: ["venv"],
    source: "https://docs.python.org/3/library/venv.html",
    options: "--system-site-packages --symlinks --copies --clear --upgrade --prompt:",
    operands: "writes",
    effects: ["write"],
  },
  {
    names: ["unittest"],
    source: "https://docs.python.org/3/library/unittest.html",
    options: "-v|--verbose -q|--quiet -f|--failfast -c|--catch -b|--buffer -k: --locals",
    operands: "tests",
    effects: ["run"],
    isNamedOnly: true,
  },
  {
    names: ["timeit", "cProfile", "runpy", "code", "ensurepip", "zipapp", "zipfile", "tarfile", "http.server"],
    source: "https://docs.python.org/3/library/: run program text, write files or open a server",
    never: "run",
  },
];

/** Further programs that run others, reach the network or write files. */
const FURTHER_ROWS: readonly Program[] = [
  {
    names: [
      ...["claude", "codex", "gemini", "copilot", "aider", "opencode", "goose", "cursor-agent", "amp", "qwen", "crush"],
      ...["llm", "switchyard", "kiro-cli", "qodercli"],
    ],
    source: "manuals of these agents: they run any program",
    never: "run",
    hides: "always",
  },
  {
    names: [
      ...[
        "cursor",
        "subl",
        "zed",
        "idea",
        "gitk",
        "gitui",
        "jj",
        "sl",
        "dlx",
        "corepack",
        "volta",
        "fnm",
        "nvm",
        "rvm",
      ],
      ...["rbenv", "pyenv", "rustup", "wasm-pack", "trunk", "tauri", "electron", "cypress", "storybook"],
      ...["ng", "next", "nuxt", "gatsby", "astro", "opam", "pod", "fastlane", "django-admin", "flask", "uvicorn"],
      ...["gunicorn", "celery", "alembic", "streamlit", "jupyter", "papermill", "dvc", "mlflow", "airflow", "dbt"],
      ...["dlv", "air", "buf", "protoc", "sphinx-build", "mkdocs", "hugo", "jekyll", "kotlinc", "kotlin", "scalac"],
      ...[
        "clj",
        "clojure",
        "boot",
        "nim",
        "crystal",
        "buck",
        "buck2",
        "pants",
        "please",
        "earthly",
        "dagger",
        "skaffold",
      ],
      ...[
        "tilt",
        "pm2",
        "forever",
        "supervisorctl",
        "runit",
        "sv",
        "foreman",
        "overmind",
        "hivemind",
        "honcho",
        "invoke",
      ],
      ...["fab", "autoexpect", "ttyd", "gotty", "asciinema", "nsjail", "minijail0", "systemd-nspawn", "systemd-cat"],
      ...["runcon", "chcon", "busctl", "puppet", "cdist", "sshuttle", "ssh-copy-id", "torify", "plymouth", "perlbug"],
      ...["debugfs", "crash", "ranger", "jjs", "ifne", "pee", "vipe", "zipgrep", "semgrep", "xsltproc", "javadoc"],
    ],
    source: "https://gtfobins.github.io and the manuals of these programs",
    never: "run",
  },
  {
    names: [
      ...["unsquashfs", "7zz", "unrar", "rar", "unar", "lha", "zpaq", "lrzip", "lzip", "plzip", "pigz", "pbzip2"],
      ...["brotli", "jar", "zipnote", "zipcloak", "zipsplit", "link", "fallocate", "ddrescue", "cdrecord", "mkisofs"],
      ...["losetup", "cryptsetup", "lvm", "mdadm", "xdelta3", "qpdf", "scrot", "pygmentize", "highlight", "keytool"],
      ...["logger", "write", "ranlib", "gold", "lld", "ld.bfd", "ld.gold", "ld.lld", "timedatectl", "hostnamectl"],
    ],
    source: "https://gtfobins.github.io and the manuals of these programs",
    never: "write",
  },
];

/** Formatters, linters, build tools and other programs of developers. */
export const TOOL_ROWS: readonly Program[] = [...FORMATTER_ROWS, ...BUILD_TOOL_ROWS, ...MODULE_ROWS, ...FURTHER_ROWS];
