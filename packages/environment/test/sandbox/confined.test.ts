import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConfinedEnvironment } from "../../src/local/index.ts";
import { makeFolders, UNREADY } from "./open-sandbox.ts";

test("commands write to the allowed paths of the workspace, and read everything that is not hidden", async ({
  skip,
}) => {
  skip(UNREADY !== undefined, UNREADY);
  const { root, outside } = makeFolders();
  const hidden = join(outside, "hidden");
  mkdirSync(hidden);
  writeFileSync(join(hidden, "key"), "a key of the test");
  writeFileSync(join(root, "a.txt"), "one");
  const rules = { writes: ["out", "left/empty", "note.md"], readOnly: [join(outside, "none")], hidden: [hidden] };
  {
    await using environment = (await openConfinedEnvironment({ root, env: process.env, ...rules })) ?? fail();
    const good = await environment.shell(`echo x > out/x && echo y > note.md && cat a.txt && echo z > ${outside}/free`);
    expect(good).toMatchObject({ exitCode: 0, stdout: "one" });
    for (const command of ["echo x > a.txt", "echo x > new", "mv out moved", `cat ${hidden}/key`, "rm note.md"]) {
      expect((await environment.shell(command)).exitCode, command).not.toBe(0);
    }
    // Writes of the environment itself are not restricted.
    await environment.writeFile("of-the-host.txt", "");
  }
  expect(readdirSync(root).sort()).toEqual(expect.arrayContaining(["a.txt", "note.md", "of-the-host.txt", "out"]));
  expect([existsSync(join(root, "left")), existsSync(join(outside, "free"))]).toEqual([false, true]);
});

test("a path that leads out of the workspace is rejected, also through a link", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { root, outside } = makeFolders();
  symlinkSync(outside, join(root, "link"));
  for (const path of ["../beside", "link", "link/new", outside]) {
    await expect(openConfinedEnvironment({ root, env: process.env, writes: [path] })).rejects.toMatchObject({
      code: "environment.path_outside_workspace",
    });
  }
  expect(existsSync(join(outside, "new"))).toBe(false);
});

function fail(): never {
  throw new Error("no confined environment, although there are sandboxes");
}
