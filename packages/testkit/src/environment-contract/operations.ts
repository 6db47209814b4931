import type { ExecutionEnvironment } from "@switchyard/contracts";

/** Something that is done at a path, by its name. */
export type NamedOperation = readonly [name: string, operation: () => Promise<unknown>];

/** Every operation on files and folders, at one path. */
export function operationsAt(environment: ExecutionEnvironment, path: string): readonly NamedOperation[] {
  return [...questionsAt(environment, path), ...changesAt(environment, path)];
}

/** Every operation that looks at a path. */
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

/** Every operation that would change something at a path. */
export function changesAt(environment: ExecutionEnvironment, path: string): readonly NamedOperation[] {
  return [
    ["writeFile", () => environment.writeFile(path, "overwritten")],
    ["makeDirectory", () => environment.makeDirectory(path)],
    ["rename from", () => environment.rename(path, "moved")],
    ["remove", () => environment.remove(path)],
  ];
}

/** Every way to run something in a folder. */
export function commandsIn(environment: ExecutionEnvironment, cwd: string): readonly NamedOperation[] {
  return [
    ["exec", () => environment.exec(["pwd"], { cwd })],
    ["shell", () => environment.shell("pwd", { cwd })],
  ];
}
