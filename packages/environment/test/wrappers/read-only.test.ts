import {
  openOverlay,
  withFaults,
  withLogging,
  withReadBeforeWrite,
  withReadOnly,
} from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";

test("a read-only environment rejects every write with a clear error [loop-4.4-1] [loop-4.4-3]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "old" });
  const readOnly = withReadOnly(environment);
  const writes = [
    () => readOnly.writeFile("a.txt", "new"),
    () => readOnly.makeDirectory("d"),
    () => readOnly.rename("a.txt", "b.txt"),
    () => readOnly.remove("a.txt"),
  ];
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({ code: "environment.read_only", message: /disabled/ });
  }
  expect(await readOnly.readFile("a.txt")).toBe("old");
  expect(await readOnly.listDirectory(".")).toHaveLength(1);
  expect((await readOnly.grep("old")).matches).toHaveLength(1);
});

test("commands are rejected, or allowed if configured [loop-4.4-3]", async () => {
  const { environment } = await openWorkspace();
  const refusing = withReadOnly(environment);
  const commands = [
    () => refusing.exec(["true"]),
    () => refusing.shell("true"),
    () => refusing.spawn(["true"]),
    async () => refusing.spawnShell?.("true"),
  ];
  for (const command of commands) {
    await expect(command()).rejects.toMatchObject({
      code: "environment.command_refused",
      details: { command: "true" },
    });
  }
  expect((await withReadOnly(environment, { shell: "allow" }).shell("echo hi")).stdout).toBe("hi\n");
});

test("wrappers compose in any order, forward all calls, and close the wrapped environment [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "old" });
  const composed = withLogging(
    withFaults(
      withReadBeforeWrite(openOverlay(withReadOnly(environment, { shell: "allow" }), { commands: "base" }).environment),
      {
        rules: [],
      },
    ),
    () => undefined,
  );
  expect(composed.name).toBe("local+read-only+overlay+read-before-write+faults+logging");
  const { workingDirectory, platform, osVersion, processMark } = environment;
  expect(composed).toMatchObject({ workingDirectory, platform, osVersion, processMark });
  expect(await composed.endMarked?.("none")).toBe(0);
  await expect(composed.writeFile("a.txt", "new")).rejects.toMatchObject({ code: "environment.file_not_read" });
  await composed.readFile("a.txt");
  await composed.writeFile("a.txt", "new");
  expect([await composed.readFile("a.txt"), await environment.readFile("a.txt")]).toEqual(["new", "old"]);
  const shell = await composed.spawnShell?.("cat a.txt; exit 5");
  expect(await shell?.exited).toMatchObject({ exitCode: 5 });
  await composed[Symbol.asyncDispose]();
  await expect(composed.readFile("a.txt")).rejects.toMatchObject({ code: "environment.closed" });
  await expect(environment.readFile("a.txt")).rejects.toMatchObject({ code: "environment.closed" });
});

test("a wrapper with keepOpen does not close the wrapped environment [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "old" });
  const wrappers = [
    withLogging(environment, () => undefined, { keepOpen: true }),
    withReadOnly(environment, { keepOpen: true }),
    withReadBeforeWrite(environment, { keepOpen: true }),
    withFaults(environment, { rules: [], keepOpen: true }),
    openOverlay(environment, { keepOpen: true }).environment,
  ];
  for (const wrapper of wrappers) {
    await wrapper[Symbol.asyncDispose]();
    await expect(wrapper.readFile("a.txt")).rejects.toMatchObject({ code: "environment.closed" });
  }
  expect(await environment.readFile("a.txt")).toBe("old");
});

test("a wrapper lacks the optional operations that its environment lacks [loop-4.4-1]", async () => {
  const { environment } = await openWorkspace();
  const { spawnShell, endMarked, processMark, ...poor } = Object.assign(
    Object.create(null),
    withLogging(environment, () => undefined),
  );
  expect([typeof spawnShell, typeof endMarked, typeof processMark]).toEqual(["function", "function", "string"]);
  const wrapped = [withReadOnly(poor), withReadBeforeWrite(poor), openOverlay(poor).environment];
  for (const one of wrapped)
    expect([one.spawnShell, one.endMarked, one.processMark]).toEqual([undefined, undefined, undefined]);
});
