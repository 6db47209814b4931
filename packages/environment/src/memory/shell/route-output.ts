import type { CommandNode, PipelineNode, ScriptNode, SimpleCommandNode, StatementNode, WordNode } from "just-bash";

type GroupNode = Extract<CommandNode, { type: "Group" }>;
type RedirectionNode = GroupNode["redirections"][number];

/**
 * Parent folder of the special paths to which the output of command lines is redirected. No real file has such a path.
 */
const FOLDER = "/dev/run/";
const INPUT_OPERATORS: ReadonlySet<string> = new Set(["<", "<<", "<<-", "<<<"]);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Read-only variables of bash, which cannot be set. */
const READ_ONLY: ReadonlySet<string> = new Set(["UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"]);
/**
 * Shell constructs whose meaning would change inside `{ … }`: persistent redirections, pipeline statuses, exit by `set
 * -u`. Output of scripts with such a construct is not redirected.
 */
const UNROUTED = /\bexec\b|PIPESTATUS|nounset|\bset\s+-\w*u/;

/** Paths of the special files to which one command line's output streams are redirected. */
export interface OutputPaths {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Returns the paths of the special files to which a command line's output is redirected. `run` is a number that
 * distinguishes the command line from others.
 */
export function outputPathsOf(run: number): OutputPaths {
  return toPaths(`${FOLDER}${run}`);
}

/**
 * Marks a script for `routeOutput`, so that its output is redirected to special files and can be read while the script
 * runs. The mark is an additional first line. This line also exports the given variables. Scripts whose behaviour a
 * redirection would change are not marked.
 */
export function markForRouting(script: string, run: number, variables: Readonly<Record<string, string>>): string {
  const mark = UNROUTED.test(script) ? ":" : `: ${FOLDER}${run}`;
  const names = Object.keys(variables).filter((name) => NAME.test(name) && !READ_ONLY.has(name));
  return `${mark}${names.length === 0 ? "" : `; export ${names.join(" ")}`}\n${script}`;
}

/**
 * Redirects the output of each shell statement to special files. Returns the script unchanged if `markForRouting` has
 * not marked it. The emulated shell returns output only at the end of a script, but a redirected statement writes its
 * output when it finishes. Bodies of loops and conditions are statements too. Functions are not changed, because their
 * output may go into a pipe.
 */
export function routeOutput(script: ScriptNode): ScriptNode {
  const [mark, ...statements] = script.statements;
  const folder = mark === undefined ? undefined : markOf(mark);
  if (folder === undefined) return script;
  const { stdout, stderr } = toPaths(folder);
  const redirections = [toRedirection(1, stdout), toRedirection(2, stderr)];
  return { ...script, statements: statements.map((statement) => routeStatement(statement, redirections)) };
}

function toPaths(folder: string): OutputPaths {
  return { stdout: `${folder}/stdout`, stderr: `${folder}/stderr` };
}

function markOf({ pipelines }: StatementNode): string | undefined {
  const command = pipelines[0]?.commands[0];
  if (command?.type !== "SimpleCommand" || textOf(command.name) !== ":") return undefined;
  const text = textOf(command.args[0]);
  return text?.startsWith(FOLDER) === true ? text : undefined;
}

function textOf(word: WordNode | null | undefined): string | undefined {
  return word?.parts.map((part) => (part.type === "Literal" ? part.value : "")).join("");
}

function toRedirection(fd: number, path: string): RedirectionNode {
  return {
    type: "Redirection",
    fd,
    operator: ">>",
    target: { type: "Word", parts: [{ type: "Literal", value: path }] },
  };
}

function routeStatement(statement: StatementNode, redirections: RedirectionNode[]): StatementNode {
  // The shell statement has a syntax error. The emulated shell reports it when execution reaches the statement.
  if (statement.deferredError !== undefined) return statement;
  const only = onlyCommandOf(statement);
  if (only?.type === "FunctionDef") return statement;
  const routed = only === undefined ? undefined : routeCommand(only, redirections);
  return toStatement(statement, routed ?? routeGroup(statement, redirections));
}

/** Wraps a shell statement in `{ … }` and redirects the output of this group. */
function routeGroup(statement: StatementNode, redirections: RedirectionNode[]): CommandNode {
  const pipelines = statement.pipelines.map((pipeline) => {
    const last = pipeline.commands.at(-1);
    const routed = last?.type === "SimpleCommand" ? routeSimple(last, redirections) : undefined;
    return routed === undefined ? pipeline : { ...pipeline, commands: [...pipeline.commands.slice(0, -1), routed] };
  });
  return { type: "Group", body: [{ ...statement, pipelines, background: false }], redirections };
}

function toStatement(statement: StatementNode, command: CommandNode): StatementNode {
  const pipeline: PipelineNode = { type: "Pipeline", commands: [command], negated: false };
  return { ...statement, pipelines: [pipeline], operators: [] };
}

function onlyCommandOf({ pipelines, background }: StatementNode): CommandNode | undefined {
  const [pipeline] = pipelines;
  if (pipeline === undefined || pipelines.length > 1 || background) return undefined;
  if (pipeline.negated || pipeline.timed === true || pipeline.commands.length > 1) return undefined;
  return pipeline.commands[0];
}

/**
 * Redirects the output of a single command directly. Wrapped in `{ … }`, its output would be converted from bytes to
 * text.
 */
function routeSimple(command: SimpleCommandNode, redirections: RedirectionNode[]): CommandNode | undefined {
  if (command.name === null || command.redirections.length > 0) return undefined;
  return { ...command, redirections };
}

/**
 * Redirects the output of each statement inside a compound command such as `if` or `for`. `undefined` if the script
 * itself redirects the compound command.
 */
function routeCommand(command: CommandNode, redirections: RedirectionNode[]): CommandNode | undefined {
  if (command.type === "SimpleCommand") return routeSimple(command, redirections);
  if (command.redirections.some(({ operator }) => !INPUT_OPERATORS.has(operator))) return undefined;
  const route = (statements: StatementNode[]): StatementNode[] =>
    statements.map((statement) => routeStatement(statement, redirections));
  switch (command.type) {
    case "If":
      return {
        ...command,
        clauses: command.clauses.map(({ condition, body }) => ({ condition: route(condition), body: route(body) })),
        elseBody: command.elseBody === null ? null : route(command.elseBody),
      };
    case "While":
    case "Until":
      return { ...command, condition: route(command.condition), body: route(command.body) };
    case "For":
    case "CStyleFor":
    case "Group":
    case "Subshell":
      return { ...command, body: route(command.body) };
    case "Case":
      return { ...command, items: command.items.map((item) => ({ ...item, body: route(item.body) })) };
    default:
      return undefined;
  }
}
