/** Chooses cases of the contract of environments, by their ids without `environment/`. */
export interface CaseSample {
  /** Reason why the sample suffices: where the skipped cases run instead. */
  readonly reason: string;
  /** Prefixes of the ids of the cases that are run. */
  readonly patterns: readonly string[];
  /** Whether a case is run. */
  includes(id: string): boolean;
}

/** Prefixes of the ids of the cases about commands: start, streams, end, variables. */
const COMMANDS = [
  ...["exec", "shell", "commands", "cwd", "duration", "identity", "variables"],
  ...["stdin", "output", "spawn", "slow", "calls"],
  ...["timeout", "clean-exit", "abort", "dispose", "closed"],
];

/** Prefixes of the ids of the cases about searches, and ids of single cases of other groups that search. */
const SEARCHES = [
  ...["grep", "glob", "golden-files", "golden-searches", "calls"],
  ...["links-out-search", "links-circle", "swap-search", "paths-outside-glob", "names-odd-found", "names-odd-top"],
];

/** Of each family of cases about files, those that go through most of its code. */
const FILES = [
  ...["read-as-written", "read-window", "read-invalid-utf8", "read-missing", "read-forbidden"],
  ...["bytes-as-written", "bytes-window", "bytes-large", "bytes-apart"],
  ...["write-makes-folders", "write-whole", "write-many", "write-keeps-mode", "write-forbidden"],
  ...["stat", "list", "list-depth", "rename-folder", "rename-refused", "remove", "remove-refused"],
  ...["names-odd", "names-longest", "paths-outside-read", "paths-outside-changed", "paths-outside-secret"],
  ...["links-out-read", "links-out-written", "links-removed", "swap-read", "swap-written", "pipes", "devices"],
  ...["golden", "grep-lines", "grep-binary", "grep-signal", "glob-patterns", "glob-limit"],
];

/** Prefixes of the ids of all cases about files, except those about folders that are replaced during a call. */
const FILE_CASES = [
  ...["read", "bytes", "write", "exists", "stat", "list", "make", "rename", "remove"],
  ...["paths", "names", "links", "pipes", "devices", "sockets", "golden"],
];

/**
 * Of each family of cases about files, those that depend on how a script, its input and its output get there and back.
 */
const TRANSFERS = [
  ...["read-as-written", "read-missing", "bytes-as-written", "bytes-large", "write-makes-folders", "write-keeps-mode"],
  ...["stat", "list", "rename-folder", "remove", "names-odd", "names-longest", "paths-outside-changed"],
  ...["links-out-written", "golden", "grep-lines", "grep-signal", "glob-patterns"],
];

/**
 * Of the cases about commands, those that depend on how bytes, exit codes and signals get there and back. Together they
 * detect every fault of `contract/wrong-spawning.ts` and `contract/wrong-endings.ts`.
 */
const CONNECTIONS = [
  ...["exec-result", "exec-codes", "exec-signals", "exec-missing", "shell-errors", "cwd", "identity"],
  ...["variables-all", "variables-secret", "stdin", "commands-and-files", "commands-at-once", "slow-command"],
  ...["output-whole", "output-exact", "output-endless", "output-arrives", "output-fast"],
  ...["spawn-duplex", "spawn-last-byte", "spawn-half-close", "spawn-streams", "spawn-every-byte"],
  ...["spawn-back-pressure", "spawn-unread"],
  ...["spawn-kill", "spawn-interrupt", "spawn-dispose", "spawn-refused", "spawn-shell", "spawn-cancel"],
  ...["spawn-input-of-the-dead", "spawn-close-of-the-dead"],
  ...["timeout-told", "timeout-ignored", "timeout-once", "timeout-session", "timeout-closed-pipes", "timeout-none"],
  ...["clean-exit", "abort", "dispose-commands", "dispose-sessions", "dispose-spawned", "closed"],
];

/**
 * Of the cases about files and searches, those that depend on the connection: an error, every byte, many bytes, and a
 * sequence of requests of each kind. What a request does depends on the shell, not on the connection.
 */
const CONNECTED_FILES = ["read-missing", "bytes-as-written", "bytes-large", "golden-files", "golden-searches"];

/** Of each family of cases about commands, those that depend on the command line of the client. */
const CLIENT_CALLS = [
  ...["exec-codes", "exec-signals", "exec-missing", "shell-errors", "identity", "variables-all", "variables-secret"],
  ...["stdin-every-byte", "stdin-large", "stdin-none", "output-exact", "output-fast"],
  ...["spawn-duplex", "spawn-last-byte", "spawn-half-close", "spawn-streams", "spawn-every-byte", "spawn-kill"],
  ...["spawn-back-pressure", "spawn-dispose", "timeout-ignored", "timeout-session", "clean-exit", "abort-after"],
  ...["dispose-sessions", "closed-commands", "bytes-large"],
];

/**
 * Of `CLIENT_CALLS`, those about much output or input, which depend on the streams to the client alone. Those to shells
 * of this machine are alike, so the cases run once, in dash.
 */
const STREAMS = ["output-fast", "spawn-back-pressure", "stdin-large", "bytes-large"];

/** Of `CLIENT_CALLS`, those that depend on how the shell starts, watches and ends commands. */
const IN_SHELL = CLIENT_CALLS.filter((pattern) => !STREAMS.includes(pattern));

/** Of the cases about files, those that show that each operation gets its arguments, and that its outcome is returned. */
const FORWARDED_FILES = [
  ...["read-as-written", "read-window", "read-missing", "bytes-as-written", "bytes-window"],
  ...["write-makes-folders", "write-keeps-mode", "exists", "stat", "list", "make-folder"],
  ...["rename-folder", "rename-refused", "remove", "paths-outside-read", "paths-outside-changed"],
  ...["grep-lines", "grep-where", "grep-signal", "glob-patterns", "glob-limit", "golden-files"],
];

/** The same for the cases about commands. */
const FORWARDED_COMMANDS = [
  ...["exec-result", "exec-missing", "shell-errors", "cwd", "stdin-every-byte", "stdin-none", "variables-set"],
  ...["output-whole", "output-told", "output-listener", "timeout-told", "abort", "calls", "identity"],
  ...["spawn-duplex", "spawn-half-close", "spawn-streams", "spawn-every-byte", "spawn-back-pressure", "spawn-kill"],
  ...["spawn-interrupt", "spawn-dispose", "spawn-refused", "spawn-options", "spawn-shell", "spawn-cancel"],
  ...["dispose", "closed"],
];

function sampleOf(reason: string, patterns: readonly string[]): CaseSample {
  return {
    reason,
    patterns,
    includes: (id) => patterns.some((pattern) => id === pattern || id.startsWith(`${pattern}-`)),
  };
}

/** For environments that differ from others in their connection. */
export const REACHED_SAMPLE: CaseSample = sampleOf(
  "Files, searches and commands of all remote places are the same shell scripts. test/remote runs every case of them in " +
    "dash, and every case about files and searches with the programs of busybox. What a place adds is how bytes, exit " +
    "codes and signals get there and back.",
  [...CONNECTIONS, ...CONNECTED_FILES],
);

/** For remote places that differ from others in their shell. */
export const SHELL_SAMPLE: CaseSample = sampleOf(
  "The scripts are those that run every case in dash. What a shell adds is how it runs them.",
  [
    ...[...IN_SHELL, ...TRANSFERS],
    ...["exec-arguments", "shell-language", "spawn-interrupt", "timeout-daemon", "timeout-once", "variables-set"],
  ],
);

/** For another set of programs that runs the scripts of remote places. */
export const PROGRAMS_SAMPLE: CaseSample = sampleOf(
  "The scripts are those that run every case in dash. What busybox adds is its own versions of the programs that the " +
    "scripts call: every case about files and searches runs. Its shell runs commands in containers and pods, whose " +
    "images have busybox, so of the cases about commands and replaced folders a few run that depend on a program.",
  [
    ...[...FILE_CASES, ...SEARCHES],
    ...["exec-arguments", "shell", "timeout-daemon", "timeout-background", "timeout-pipeline", "variables-set"],
    ...["swap-read", "swap-written"],
  ],
);

/** For an environment that differs from another one in its client program. */
export const CLIENT_SAMPLE: CaseSample = sampleOf(
  "Podman is reached like Docker, by the same code with another client, and each call of Podman takes the processor " +
    "several times as long. What differs is what the client does with streams, exit codes and signals.",
  CLIENT_CALLS,
);

/** For environments of this machine that differ from `local` in how commands are started. */
export const COMMANDS_SAMPLE: CaseSample = sampleOf(
  "Files and searches are those of `local`, by the same code, where every case runs.",
  [...COMMANDS, "golden", "pipes"],
);

/** For environments of this machine that differ from `local` in how they search. */
export const SEARCHES_SAMPLE: CaseSample = sampleOf(
  "Commands and files are those of `local`, by the same code, where every case runs.",
  [...SEARCHES, "commands-and-files"],
);

/** For wrappers that hand each call on as it is. */
export const HANDED_ON_SAMPLE: CaseSample = sampleOf(
  "What is behind the wrapper is `local`, where every case runs. What the wrapper adds is how it passes arguments, " +
    "streams, exits and outcomes on.",
  [...FORWARDED_FILES, ...FORWARDED_COMMANDS],
);

/** For wrappers that check changes before they hand them on, and hand on everything else as it is. */
export const CHANGES_SAMPLE: CaseSample = sampleOf(
  "Reads, searches and commands are handed on to `local`, where every case runs, by the code that the row with logging " +
    "tests. What changes a file is checked before.",
  [
    ...[...FORWARDED_FILES, "write", "rename", "remove", "links", "names", "swap-written"],
    ...["pipes", "devices", "exec-result", "shell-errors", "spawn-duplex", "abort-after", "calls", "dispose", "closed"],
  ],
);

/** For an overlay, which keeps changed files and hands everything else on. */
export const OVERLAY_SAMPLE: CaseSample = sampleOf(
  "Commands run in `local`, where every case runs, after the overlay has written its changes there. Every case about " +
    "files and searches runs, because their results combine the overlay with `local`.",
  [...FILE_CASES, ...SEARCHES, ...FORWARDED_COMMANDS, "commands-and-files", "swap-read", "swap-written"],
);

/** For the sandbox, which starts commands differently and checks each path before `local` uses it. */
export const SANDBOX_SAMPLE: CaseSample = sampleOf(
  "Files and searches are those of `local`, by the same code, where every case runs. The sandbox checks their paths.",
  [...COMMANDS, ...FILES, "paths", "links", "swap-cwd", "names", "commands-and-files"],
);
