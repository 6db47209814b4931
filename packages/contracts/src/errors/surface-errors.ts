/** Rows of the error table about what a person meets first: commands, configuration, input, workspace: class, message, remedy, deviations from the class. */
export const SURFACE_ERRORS = {
  "usage.invalid": ["validation", "{problem}", "Run `switchyard {command} --help` for the options."],
  "config.invalid": ["validation", "The setting {field} is invalid: {problem}", "Correct {field} and run again."],
  "config.invalid_engine": [
    "validation",
    "The engine configuration is invalid:\n{problems}",
    "Correct the fields named above; `switchyard validate` checks such a file.",
  ],
  "config.malformed": [
    "validation",
    "The configuration {path} is not valid YAML or JSON at line {line}, column {column}: {problem}",
    "Correct the file at that place.",
  ],
  "config.missing_api_key": [
    "validation",
    "The configuration of the engine {engine} refers to an API key, and none was found.",
    "Set {variables}, add it to the credentials file, or pass --api-key.",
  ],
  "credentials.exposed": [
    "policy_denied",
    "The credentials file {path} can be read by others.",
    "Run `chmod 600 {path}` and run again.",
    "final",
    "exit2",
  ],
  "credentials.invalid": [
    "validation",
    "The credentials file {path} cannot be used: {problem}",
    "Write a map from provider to key, for instance `openai: …`, readable by you alone.",
  ],
  "config.invalid_eval": [
    "validation",
    "The evaluation {path} is invalid:\n{problems}",
    "Correct the fields named above; the guide on evaluations shows all of them.",
  ],
  "config.unreadable": [
    "validation",
    "The configuration {path} cannot be read: {problem}",
    "Check the path and its permissions.",
  ],
  "input.unreadable": [
    "validation",
    "The input {path} cannot be read: {problem}",
    "Check the path and its permissions.",
  ],
  "input.malformed": [
    "validation",
    "The input {path} is not valid JSON at line {line}, column {column}: {problem}",
    "Correct the JSON at that place.",
  ],
  "input.invalid": [
    "validation",
    "The input {path} is not a valid {expected}: {problem}",
    "Correct the fields named above; `switchyard validate` checks such a file.",
  ],
  "output.unwritable": [
    "validation",
    "The output {path} cannot be written: {problem}",
    "Choose a file in an existing, writable folder.",
    "final",
    "exit2",
  ],
  "workspace.not_found": [
    "validation",
    "The workspace {path} does not exist.",
    "Pass an existing folder (`--workspace`, `root` of the environment).",
  ],
  "workspace.not_a_directory": [
    "validation",
    "The workspace {path} is not a folder.",
    "Pass a folder (`--workspace`, `root` of the environment).",
  ],
  "workspace.untrusted": [
    "policy_denied",
    "The workspace {path} is not trusted.",
    "Review it, then run `switchyard trust` or pass --trust-workspace.",
    "final",
    "exit2",
  ],
  "workspace.locked": [
    "conflict",
    "Another run works in {path} ({owner}).",
    "Wait until it is done, work on a copy with --worktree, or pass --share-workspace.",
    "final",
    "exit2",
  ],
  "workspace.no_worktree": [
    "validation",
    "There can be no worktree of {path}: {problem}",
    "Commit something in a git repository first, or run without --worktree.",
  ],
  "run.not_undoable": [
    "conflict",
    "The changes of the run {runId} cannot be undone: {problem}",
    "Nothing was changed; look at what it did with `switchyard runs show {runId}`.",
    "final",
    "exit2",
  ],
  "run.not_replayable": [
    "conflict",
    "The run {runId} cannot be replayed: {problem}",
    "Replay a run of the built-in agent whose folder still has its recording.",
    "final",
    "exit2",
  ],
  "verify.not_found": [
    "not_found",
    "There is no file or package {target} to be found from {directory}.",
    "Name a file, or a package that is installed there.",
    "final",
    "exit2",
  ],
  "verify.load_failed": [
    "validation",
    "The module {target} cannot be loaded: {problem}",
    "Make it load with `node` first; TypeScript is compiled before it is verified.",
  ],
  "verify.no_contracts": [
    "validation",
    "The module {target} has nothing to verify: {problem}",
    "Export `contracts` from it, an object with a factory for each interface it implements: {known}.",
  ],
  "internal.unexpected": [
    "internal",
    "Something unexpected went wrong: {problem}",
    "Report it with its stack and its causes, which the command prints with `--debug`.",
  ],
} as const;
