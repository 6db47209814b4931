import { relative } from "node:path";
import { beforeEach, inject, type TestContext } from "vitest";
import type {} from "./provided-context.ts";

type Task = TestContext["task"]["file"]["tasks"][number];

const exceptions = inject("exceptions");

function namesOf(tasks: readonly Task[]): string[] {
  return tasks.flatMap((task) => (task.type === "suite" ? namesOf(task.tasks) : [task.fullTestName]));
}

/** Throws if an exception names an unknown test. */
function assertKnown(file: string, tasks: readonly Task[]): void {
  const names = namesOf(tasks);
  const unknown = Object.keys(exceptions[file] ?? {}).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is an exception for a test that does not exist in ${file}: ${unknown.join("; ")}`);
}

beforeEach(({ task, skip }) => {
  const file = relative(process.cwd(), task.file.filepath);
  assertKnown(file, task.file.tasks);
  const reason = exceptions[file]?.[task.fullTestName];
  skip(reason !== undefined, reason);
});
