import type { ExecutionEnvironment } from "@switchyard/contracts";

/** An operation of an environment on a file path, with a name for test titles. */
export type NamedOperation = readonly [name: string, operation: () => Promise<unknown>];

/** Returns one call of each operation on files and folders, with the given path. */
export function operationsAt(environment: ExecutionEnvironment, path: string): readonly NamedOperation[] {
  return [...questionsAt(environment, path), ...changesAt(environment, path)];
}

/** Returns every operation that reads a path. */
export function questionsAt(environment: ExecutionEnvironment, path: string): readonly NamedOperation[] {
  return [
    ["readFile", () => environment.readFile(path)],
    ["readFile of a window", () => environment.readFile(path, { offset: 1, limit: 1 })],
    ["readBytes", () => environment.readBytes(path)],
    ["exists", () => environment.exists(path)],
    ["stat", () => environment.stat(path)],
    ["listDirectory", () => environment.listDirectory(path)],
    ["grep", () => environment.grep("SECRET", { path })],
    ["glob", () => environment.glob("*", { path })],
  ];
}

/** Returns every operation that changes a path. */
export function changesAt(environment: ExecutionEnvironment, path: string): readonly NamedOperation[] {
  return [
    ["writeFile", () => environment.writeFile(path, "overwritten")],
    ["makeDirectory", () => environment.makeDirectory(path)],
    ["rename from", () => environment.rename(path, "moved")],
    ["remove", () => environment.remove(path)],
  ];
}

/** Returns every operation that runs a command in a given folder. */
export function commandsIn(environment: ExecutionEnvironment, cwd: string): readonly NamedOperation[] {
  return [
    ["exec", () => environment.exec(["pwd"], { cwd })],
    ["shell", () => environment.shell("pwd", { cwd })],
  ];
}
