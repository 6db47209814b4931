import { realpathSync } from "node:fs";
import { expect, test } from "vitest";
import { openMachine } from "./open-machine.ts";

test("without a working directory, the remote home folder is the workspace", async ({ skip }) => {
  const { sshd, open } = await openMachine(skip);
  const environment = await open({ workingDirectory: undefined });
  expect(environment.workingDirectory).toBe(realpathSync(`${sshd.folder}/home`));
  await environment.writeFile("a.txt", "at home");
  expect((await environment.shell("cat ~/a.txt")).stdout).toBe("at home");
});

test("an unreachable machine is reported before the home folder is determined", async ({ skip }) => {
  const { open } = await openMachine(skip);
  await expect(open({ workingDirectory: undefined, user: "nobody-of-that-name" })).rejects.toMatchObject({
    code: "environment.unavailable",
  });
});
