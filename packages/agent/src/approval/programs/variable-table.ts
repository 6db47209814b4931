import { compileNamePattern } from "../name-pattern.ts";

/** Environment variables that make programs start other programs or load code. */
interface VariableRow {
  /** Names of variables. `*` stands for any characters. */
  readonly names: readonly string[];
  /** `line`: the value is a command line. `code`: the value or the file that it names is executed or loaded. */
  readonly holds: "line" | "code";
  /** Documentation of the variables. */
  readonly source: string;
}

/**
 * Table of environment variables that make programs start other programs or load code. Each row links to its source.
 */
export const VARIABLE_ROWS: readonly VariableRow[] = [
  {
    names: [
      ...["GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR"],
      ...["GIT_SEQUENCE_EDITOR", "GIT_ASKPASS", "GIT_CONFIG_VALUE_*", "GIT_CONFIG_PARAMETERS", "GIT_MERGE_AUTOEDIT"],
    ],
    holds: "line",
    source: "git(1), ENVIRONMENT VARIABLES; git-config(1)",
  },
  {
    names: [
      ...["PAGER", "MANPAGER", "SYSTEMD_PAGER", "PSQL_PAGER", "BAT_PAGER", "DELTA_PAGER", "EDITOR", "VISUAL"],
      ...["FCEDIT", "SUDO_EDITOR", "BROWSER", "LESSOPEN", "LESSCLOSE", "MAKEFLAGS", "MFLAGS", "SHELL", "CONFIG_SHELL"],
      ...["RSYNC_RSH", "CVS_RSH", "SVN_SSH", "SVN_EDITOR", "HGEDITOR", "SSH_ASKPASS", "SUDO_ASKPASS", "TAR_OPTIONS"],
      ...["TAR_RSH", "RSH", "FZF_DEFAULT_COMMAND", "FZF_DEFAULT_OPTS", "FZF_CTRL_T_COMMAND", "XZ_OPT", "GZIP"],
    ],
    holds: "line",
    source: "environ(7); less(1), INPUT PREPROCESSOR; make(1); rsync(1); tar(1); fzf(1)",
  },
  {
    names: [
      ...[
        "CC",
        "CXX",
        "CPP",
        "LD",
        "AR",
        "AS",
        "HOSTCC",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTDOC",
      ],
      ...["CARGO_TARGET_*_RUNNER", "CARGO_TARGET_*_LINKER", "GOFLAGS", "CMAKE_*_COMPILER_LAUNCHER", "CGO_*FLAGS"],
      ...["npm_config_script_shell", "npm_config_editor", "npm_config_git", "npm_config_node_options"],
    ],
    holds: "line",
    source: "https://doc.rust-lang.org/cargo/reference/environment-variables.html, npm-config(7), cmake(1), go(1)",
  },
  {
    names: [
      ...["BASH_ENV", "ENV", "ZDOTDIR", "PROMPT_COMMAND", "PS0", "PS1", "PS4", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS"],
      ...["PATH", "IFS", "CDPATH", "GIT_EXEC_PATH", "GIT_CONFIG*", "GIT_TEMPLATE_DIR", "RIPGREP_CONFIG_PATH"],
    ],
    holds: "code",
    source: "bash(1), Shell Variables; git(1), ENVIRONMENT VARIABLES; rg(1), CONFIGURATION FILES",
  },
  {
    names: ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_*", "GCONV_PATH", "OPENSSL_CONF", "OPENSSL_ENGINES"],
    holds: "code",
    source: "ld.so(8), dyld(1), iconv(3), openssl-env(7)",
  },
  {
    names: [
      ...["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "BUN_OPTIONS", "DENO_*", "PYTHONSTARTUP"],
      ...["PYTHONPATH", "PYTHONHOME", "PYTHONINSPECT", "PYTHONWARNINGS", "PYTHONBREAKPOINT", "PYTHONUSERBASE"],
      ...["PERL5OPT", "PERL5LIB", "PERL5DB", "PERLLIB", "RUBYOPT", "RUBYLIB", "LUA_INIT*", "PHP_INI_SCAN_DIR", "PHPRC"],
      ...["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "MAVEN_OPTS", "MAVEN_ARGS"],
      ...[
        "GRADLE_OPTS",
        "JAVA_OPTS",
        "SBT_OPTS",
        "ANT_ARGS",
        "ANT_OPTS",
        "ERL_FLAGS",
        "ERL_AFLAGS",
        "ELIXIR_ERL_OPTIONS",
      ],
      ...["R_PROFILE*", "R_ENVIRON*", "JULIA_LOAD_PATH", "DOTNET_STARTUP_HOOKS", "CORECLR_PROFILER*", "COMPlus_*"],
      ...["PYTEST_ADDOPTS", "PYTEST_PLUGINS", "MYPYPATH", "PIP_*", "BUNDLE_GEMFILE", "VIMINIT", "EXINIT"],
    ],
    holds: "code",
    source:
      "node(1), python(1), perlrun(1), ruby(1), java(1), https://docs.pytest.org/en/stable/reference/reference.html",
  },
];

let compiled: readonly { readonly row: VariableRow; readonly fits: (name: string) => boolean }[] | undefined;

/** Returns the row of an environment variable. `undefined` if the table does not list the variable. */
export function findVariable(name: string): VariableRow | undefined {
  compiled ??= VARIABLE_ROWS.flatMap((row) => row.names.map((text) => ({ row, fits: compileNamePattern(text) })));
  return compiled.find(({ fits }) => fits(name))?.row;
}
