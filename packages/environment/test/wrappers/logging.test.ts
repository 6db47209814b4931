import type { EnvironmentLogEntry } from "@switchyard/environment/wrappers";
import { withLogging } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";

test("a command is logged before it runs, and its exit code and duration afterwards [loop-4.4-1] [loop-4.4-2]", async () => {
  const { environment } = await openWorkspace();
  const entries: EnvironmentLogEntry[] = [];
  const logged = withLogging(environment, (entry) => void entries.push(entry));
  const running = logged.shell("cat >/dev/null; echo out; exit 3", { stdin: "typed-in-words", timeoutMs: 9_000 });
  expect(entries).toMatchObject([{ type: "started", call: 1, operation: "shell", timeoutMs: 9_000 }]);
  expect(await running).toMatchObject({ stdout: "out\n", exitCode: 3 });
  expect(entries[1]).toMatchObject({ type: "finished", call: 1, outcome: "done", exitCode: 3, timedOut: false });
  expect(entries[1]).toHaveProperty("durationMs", (await running).durationMs);
  expect(logged.name).toBe("local+logging");
});

test("content, input and variable values are never logged [loop-4.4-2]", async () => {
  const { environment } = await openWorkspace({ "a.txt": "in-the-file\n" });
  const entries: EnvironmentLogEntry[] = [];
  const logged = withLogging(environment, (entry) => void entries.push(entry));
  const env = { set: { ACME_KEY: "value-of-variable" } };
  await logged.exec(["sh", "-c", "cat; echo $ACME_KEY value-of-variable"], { env, stdin: "typed-in-words" });
  await logged.writeFile("b.txt", "in-the-new-file");
  await logged.readFile("a.txt");
  await logged.grep("in-the");
  const logText = JSON.stringify(entries);
  for (const secret of ["value-of-variable", "typed-in-words", "in-the-file", "in-the-new-file"]) {
    expect(logText).not.toContain(secret);
  }
  expect(entries[0]).toMatchObject({
    variables: ["ACME_KEY"],
    command: ["sh", "-c", expect.stringContaining("$ACME_KEY")],
  });
  expect(logText).toContain("b.txt");
});

test("a process is logged when it starts and exits, and a failed call with its error code [loop-4.4-2]", async () => {
  const { environment } = await openWorkspace();
  const entries: EnvironmentLogEntry[] = [];
  let time = 0;
  const monotonic = () => (time += 5);
  const logged = withLogging(environment, (entry) => void entries.push(entry), { monotonic });
  const spawned = await logged.spawn(["sh", "-c", "read line; exit 4"]);
  expect(entries.map(({ type }) => type)).toEqual(["started"]);
  await spawned.stdin.getWriter().close();
  await spawned.exited;
  await expect
    .poll(() => entries.at(-1))
    .toMatchObject({ type: "finished", operation: "spawn", exitCode: expect.any(Number) });
  await expect(logged.readFile("missing.txt")).rejects.toMatchObject({ code: "environment.file_not_found" });
  expect(entries.at(-1)).toMatchObject({ outcome: "failed", error: "environment.file_not_found", durationMs: 5 });
  const second = await logged.spawnShell?.("exit 2");
  expect(await second?.exited).toMatchObject({ exitCode: 2 });
  await expect.poll(() => entries.at(-1)).toMatchObject({ operation: "spawnShell", exitCode: 2 });
});

test("a log that throws or rejects changes nothing [loop-4.4-2]", async () => {
  const { environment } = await openWorkspace();
  const throwing = withLogging(environment, () => {
    throw new Error("full");
  });
  const rejecting = withLogging(throwing, async () => Promise.reject(new Error("full")));
  await rejecting.writeFile("a.txt", "x");
  expect((await rejecting.exec(["cat", "a.txt"])).stdout).toBe("x");
  expect(rejecting.name).toBe("local+logging+logging");
});
