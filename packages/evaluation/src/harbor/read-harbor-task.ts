import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "@switchyard/contracts";
import type { EvalCase } from "../suite/eval-suite.ts";
import { type Field, type FieldsByName, fail, isAbsent, readList, readMap, readText } from "../suite/field.ts";
import { digestFolder } from "./digest-folder.ts";
import type { HarborTask } from "./harbor-task.ts";
import { readAgent, readEnvironment, readSolution, readVerifier } from "./read-task-tables.ts";

const KNOWN = [
  ...["version", "schema_version", "source", "task", "metadata", "agent", "verifier", "environment", "solution"],
  ...["artifacts", "steps", "multi_step_reward_strategy", "multi_step_reward_mode"],
];

/** A task, its problems, and warnings about its settings that have no effect. */
export interface ReadHarborTask {
  /** `undefined` if the task has problems. */
  readonly case?: EvalCase | undefined;
  /** Problems, one sentence each, with the file and the field. */
  readonly problems: readonly string[];
  /** Warnings about settings that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}

/** Reads a task folder. All its problems are reported, unsupported fields included. */
export async function readHarborTask(folder: string): Promise<ReadHarborTask> {
  const found: string[] = [];
  const problems: string[] = [];
  const warnings: string[] = [];
  const instruction = await readFile(join(folder, "instruction.md"), "utf8").catch(() => undefined);
  const top = await parseTaskFile(folder, found);
  const fields = top === undefined ? undefined : readMap(top, KNOWN);
  const isMultiStep = fields !== undefined && refuseSteps(fields);
  if (!isMultiStep && (instruction ?? "").trim() === "") problems.push("instruction.md does not exist or is empty");
  const read = fields === undefined ? undefined : await readTask(fields, { folder, problems, warnings, isMultiStep });
  const all = [...found.map((problem) => `task.toml: ${problem}`), ...problems];
  if (all.length > 0 || read === undefined || instruction === undefined) return { problems: all, warnings };
  const source = await digestFolder(folder);
  return { case: toCase(read, { folder, instruction, source }), problems: [], warnings };
}

async function parseTaskFile(folder: string, problems: string[]): Promise<Field | undefined> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { path: "", value: parse(await readFile(join(folder, "task.toml"), "utf8")), problems };
  } catch (error) {
    const place = error instanceof TomlError ? `line ${error.line}, column ${error.column}: ` : "";
    problems.push(`${place}${messageOf(error).split("\n")[0]}`);
    return undefined;
  }
}

function refuseSteps(fields: FieldsByName): boolean {
  const steps = fields("steps");
  if (isAbsent(steps)) return false;
  fail(steps, "is not supported: tasks with several steps cannot be run");
  return true;
}

interface Reading {
  readonly folder: string;
  readonly problems: string[];
  readonly warnings: string[];
  readonly isMultiStep: boolean;
}

interface ReadTask {
  readonly task: HarborTask;
  readonly timeoutSeconds: number;
  readonly title: string | undefined;
}

async function readTask(fields: FieldsByName, reading: Reading): Promise<ReadTask | undefined> {
  const { folder, problems, isMultiStep } = reading;
  const about = readMap(fields("task"), ["name", "version", "description", "authors", "keywords"]);
  const environment = await readEnvironment(fields("environment"), reading);
  const agent = readAgent(fields("agent"), environment?.hasNetwork ?? true);
  const verifier = readVerifier(fields("verifier"), environment?.hasNetwork ?? true);
  const solution = readSolution(fields("solution"));
  if (readList(fields("artifacts")).length > 0)
    reading.warnings.push("artifacts has no effect: the files in /logs are stored.");
  const tests = join(folder, "tests");
  if (!isMultiStep && !(await isFile(join(tests, "test.sh")))) problems.push("tests/test.sh does not exist");
  if (environment === undefined || agent === undefined || verifier === undefined) return undefined;
  const { hasNetwork: _, ...container } = environment;
  const { timeoutSeconds, ...phase } = agent;
  const hasSolution = await isFile(join(folder, "solution", "solve.sh"));
  return {
    task: {
      ...{ folder, ...container, agent: phase, verifier: { ...verifier, tests } },
      ...(hasSolution ? { solution: { folder: join(folder, "solution"), variables: solution } } : {}),
    },
    timeoutSeconds,
    title: about === undefined ? undefined : (readText(about("description")) ?? readText(about("name"))),
  };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

interface CaseParts {
  readonly folder: string;
  readonly instruction: string;
  readonly source: string;
}

function toCase({ task, timeoutSeconds, title }: ReadTask, { folder, instruction, source }: CaseParts): EvalCase {
  return {
    id: basename(folder),
    title,
    messages: [{ role: "user", content: instruction }],
    ...{ files: [], kwargs: {}, assertFiles: [], assertions: [] },
    ...{ timeoutSeconds, source, task },
  };
}
