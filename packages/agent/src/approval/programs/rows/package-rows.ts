import type { Program, ProgramForm } from "../program.ts";

const NPM_OPTIONS =
  "-s|--silent --quiet --loglevel: --json --long --if-present --ignore-scripts -w|--workspace: -ws|--workspaces --include-workspace-root --no-audit --no-fund --no-progress --color --no-color --foreground-scripts";
const RISKS = {
  run: "--script-shell: --shell: --node-options: --git: --editor: --viewer: --browser: -c|--call: --scripts-prepend-node-path --init-module: --globalconfig: --userconfig: --config: --use-node-version:",
  write: "-g|--global --cache: --tmp: --logs-dir: --pack-destination: -o|--output:",
  elsewhere: "-C|--dir|--cwd|--prefix: --workspace-root|-W --modules-folder: --store-dir: --virtual-store-dir:",
  connect: "--registry: --proxy: --https-proxy: --noproxy:",
} as const;

/** Subcommand whose operands are a command that it runs. */
const RUNNER: ProgramForm = { runsOperands: true, effects: ["run"], isNamedOnly: true };
/** Subcommand that runs a script of package.json. The remaining arguments are passed to the script. */
const SCRIPT: ProgramForm = { options: NPM_OPTIONS, effects: ["run"], isNamedOnly: true };
const PNPM_SCRIPT: ProgramForm = { ...SCRIPT, options: `${NPM_OPTIONS} -r|--recursive -F|--filter:` };
const INSTALL: ProgramForm = {
  options: `${NPM_OPTIONS} -D|--save-dev|--dev -P|--save-prod -O|--save-optional -E|--save-exact|--exact --no-save --prefer-offline --offline --omit: --include: --production --package-lock-only --legacy-peer-deps --no-package-lock --dry-run --frozen-lockfile|--immutable --no-frozen-lockfile`,
  operands: "package",
  effects: ["run", "write", "connect"],
  isNamedOnly: true,
};
const LIST: ProgramForm = { options: `${NPM_OPTIONS} -a|--all --depth: -p|--parseable --prod --dev -l -r|--recursive` };
const ASKS_REGISTRY: ProgramForm = { options: NPM_OPTIONS, effects: ["connect"], isNamedOnly: true };

/** Package managers. */
export const PACKAGE_ROWS: readonly Program[] = [
  {
    names: ["npm"],
    source: "npm-config(7), npm-run-script(1), npm-exec(1)",
    style: "words",
    // npm accepts unique abbreviations: https://github.com/npm/cli/blob/latest/lib/utils/cmd-list.js
    abbreviates: true,
    options: `${NPM_OPTIONS} --version|-v`,
    risks: RISKS,
    commands: {
      ...{ test: SCRIPT, start: SCRIPT, stop: SCRIPT, restart: SCRIPT, run: SCRIPT, "run-script": SCRIPT, t: SCRIPT },
      ...{ install: INSTALL, i: INSTALL, ci: { ...INSTALL, operands: "" } },
      ...{
        ls: LIST,
        list: LIST,
        ll: LIST,
        la: LIST,
        root: LIST,
        prefix: LIST,
        help: { operands: "name", options: "", never: "run" },
      },
      ...{
        view: ASKS_REGISTRY,
        outdated: ASKS_REGISTRY,
        audit: {
          options: `${NPM_OPTIONS} --omit: --production`,
          effects: ["connect"],
          isNamedOnly: true,
          operands: "",
        },
        pkg: { options: NPM_OPTIONS, operands: "get any" },
        ping: ASKS_REGISTRY,
        search: ASKS_REGISTRY,
      },
      ...{
        exec: { never: "run" },
        x: { never: "run" },
        init: { never: "run" },
        create: { never: "run" },
        explore: { never: "run" },
      },
      ...{
        publish: { never: "connect" },
        pack: { never: "run" },
        config: { never: "write" },
        set: { never: "write" },
        link: { never: "write" },
      },
    },
    aliases: {
      ...{
        t: "test",
        tst: "test",
        i: "install",
        in: "install",
        ins: "install",
        inst: "install",
        isntall: "install",
        add: "install",
      },
      ...{
        "run-script": "run",
        rum: "run",
        urn: "run",
        x: "exec",
        c: "config",
        set: "config",
        get: "config",
        un: "uninstall",
      },
      ...{
        rm: "uninstall",
        remove: "uninstall",
        r: "uninstall",
        unlink: "uninstall",
        "clean-install": "ci",
        ic: "ci",
        it: "install-test",
      },
      ...{
        innit: "init",
        create: "init",
        ln: "link",
        up: "update",
        upgrade: "update",
        v: "view",
        info: "view",
        show: "view",
      },
    },
    wraps: { lines: "-c|--call: --script-shell: --shell: --git: --editor: --viewer: --browser:" },
  },
  {
    names: ["pnpm"],
    source: "https://pnpm.io/pnpm-cli and https://pnpm.io/cli/run",
    style: "words",
    options: `${NPM_OPTIONS} -r|--recursive --filter|-F: --version|-v`,
    risks: { ...RISKS, run: `${RISKS.run} --pnpmfile: --global-pnpmfile:` },
    commands: {
      ...{ test: PNPM_SCRIPT, t: PNPM_SCRIPT, start: PNPM_SCRIPT, run: PNPM_SCRIPT },
      ...{ install: INSTALL, i: INSTALL, add: INSTALL, ls: LIST, list: LIST, why: LIST, outdated: ASKS_REGISTRY },
      ...{
        exec: RUNNER,
        dlx: { never: "run" },
        create: { never: "run" },
        env: { never: "run" },
        publish: { never: "connect" },
      },
    },
    aliases: {
      t: "test",
      tst: "test",
      i: "install",
      "run-script": "run",
      rum: "run",
      rm: "remove",
      un: "remove",
      uninstall: "remove",
      up: "update",
    },
  },
  {
    names: ["yarn", "yarnpkg"],
    isOne: true,
    source: "https://yarnpkg.com/cli and https://classic.yarnpkg.com/en/docs/cli",
    style: "words",
    options: "-s|--silent --json --version|-v",
    risks: { ...RISKS, run: `${RISKS.run} --use-yarnrc: --plugin:` },
    commands: {
      ...{ test: SCRIPT, run: SCRIPT, start: SCRIPT, install: INSTALL, add: INSTALL, list: LIST, why: LIST },
      ...{
        exec: RUNNER,
        dlx: { never: "run" },
        node: { never: "run" },
        create: { never: "run" },
        npm: { never: "connect" },
      },
    },
    aliases: { "run-script": "run" },
  },
  {
    names: ["bun"],
    source: "https://bun.com/docs/cli/run",
    style: "words",
    options: "--version|-v --silent",
    risks: {
      run: "-e|--eval: -p|--print: -r|--preload|--require: --shell: -c|--config: --env-file:",
      elsewhere: "--cwd:",
    },
    commands: {
      ...{
        test: {
          options: "-t|--test-name-pattern: --bail? --timeout: --only --todo",
          effects: ["run"],
          isNamedOnly: true,
        },
      },
      ...{
        run: { ...SCRIPT, operands: "task any" },
        install: INSTALL,
        i: INSTALL,
        add: INSTALL,
        x: { never: "run" },
        create: { never: "run" },
        exec: { never: "run" },
      },
    },
    hides: "inline",
  },
  {
    names: ["npx", "pnpx", "bunx", "pnx", "yarn-dlx"],
    source: "npx(1): -c, -p and the package to run",
    never: "run",
    stops: true,
    style: "words",
    options: "-y|--yes --no --no-install -q|--quiet",
    risks: { run: "-p|--package: -c|--call: --node-options: --script-shell: --shell: -n|--node-arg:" },
    wraps: { skip: 0, lines: "-c|--call:" },
  },
  {
    names: ["pip", "pip3"],
    isOne: true,
    source: "https://pip.pypa.io/en/stable/cli/: packages run setup code",
    options: "--version|-V",
    commands: {
      list: { options: "--outdated? --format:", operands: "" },
      show: { options: "-f|--files" },
      freeze: { options: "", operands: "" },
      check: { options: "", operands: "" },
    },
  },
  {
    names: ["pipx", "uv", "uvx", "poetry", "pdm", "conda", "mamba", "pipenv", "hatch", "rye"],
    source: "https://docs.astral.sh/uv/reference/cli/, https://python-poetry.org/docs/cli/: packages run setup code",
    options: "--version|-V",
    commands: {
      run: RUNNER,
      list: { options: "--outdated? --format:", operands: "" },
      show: { options: "-f|--files" },
      freeze: { options: "", operands: "" },
      check: { options: "", operands: "" },
    },
  },
  {
    names: ["cargo"],
    source: "https://doc.rust-lang.org/cargo/commands/",
    options: "-q|--quiet -v|--verbose --color: --frozen --locked --offline --version|-V",
    risks: {
      run: "--config: -Z:",
      elsewhere: "-C: --manifest-path:",
      write: "--target-dir: --artifact-dir: --out-dir:",
    },
    commands: {
      fmt: {
        options: "-q|--quiet -v|--verbose --all --check -p|--package:",
        operands: "formatting",
        effects: ["write"],
      },
      ...Object.fromEntries(
        ["build", "check", "test", "run", "r", "clippy", "doc", "bench", "b", "c", "t"].map((name) => [
          name,
          {
            operands: name === "clippy" ? "lint" : "testing",
            options:
              "-q|--quiet -v|--verbose --color: --frozen --locked --offline -p|--package: --workspace|--all --exclude: --lib --bin: --bins --example: --examples --test: --tests --bench: --benches --all-targets -F|--features: --all-features --no-default-features -r|--release --profile: -j|--jobs: --keep-going --no-run --no-fail-fast --doc --no-deps --message-format: --target:triple",
            effects: ["run", "write"] as const,
            isNamedOnly: true,
          },
        ]),
      ),
    },
    aliases: { b: "build", c: "check", t: "test", r: "run", d: "doc", rm: "remove" },
    wraps: { lines: "--config:" },
  },
  {
    names: ["go"],
    source: "https://pkg.go.dev/cmd/go",
    style: "words",
    options: "",
    wraps: { lines: "-exec: -toolexec: -vettool:" },
    risks: {
      run: "-exec: -toolexec: -vettool: -overlay: -gcflags: -ldflags: -asmflags:",
      write: "-o: -coverprofile: -cpuprofile: -memprofile: -outputdir: -w",
      elsewhere: "-C: -modfile: -mod:",
    },
    commands: {
      version: { options: "", operands: "" },
      env: { options: "-json", operands: "name" },
      list: { options: "-json -m -deps -test -f:", effects: ["connect"], isNamedOnly: true },
      ...Object.fromEntries(
        ["test", "vet", "build"].map((name) => [
          name,
          {
            options:
              "-coverprofile:writes -o:writes -v -race -short -run: -count: -timeout: -failfast -json -cover -bench: -tags: -parallel: -p: -x -trimpath",
            effects: ["run", "write", "connect"] as const,
            isNamedOnly: true,
          },
        ]),
      ),
    },
  },
  {
    names: ["bundle", "bundler"],
    isOne: true,
    source: "bundle-exec(1): runs the command that follows",
    options: "--version|-v",
    commands: { exec: RUNNER, list: { options: "", operands: "" }, check: { options: "", operands: "" } },
  },
  {
    names: [
      "apt",
      "apt-get",
      "aptitude",
      "dpkg",
      "yum",
      "dnf",
      "zypper",
      "pacman",
      "apk",
      "brew",
      "snap",
      "flatpak",
      "gem",
      "composer",
      "nix",
      "nix-env",
      "nix-shell",
    ],
    source: "apt-get(8): -o runs hooks; packages run scripts",
    never: "run",
    wraps: { lines: "-o|--option:" },
  },
];
