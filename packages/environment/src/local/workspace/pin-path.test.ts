import {
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LocalWorkspace } from "./pin-path.ts";
import { availableConfinement, pinPath } from "./pin-path.ts";

function makeWorkspace(confinement: LocalWorkspace["confinement"]): { workspace: LocalWorkspace; outside: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pin-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [real, outside] = [join(folder, "in"), join(folder, "out")];
  mkdirSync(join(real, "sub"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(real, "sub/a.txt"), "inside");
  writeFileSync(join(outside, "a.txt"), "SECRET");
  symlinkSync(outside, join(real, "out"));
  symlinkSync("sub", join(real, "link"));
  return { workspace: { real, confinement }, outside };
}

test("Linux has confinement by descriptor", ({ skip }) => {
  skip(process.platform !== "linux", "tests Linux only");
  expect(availableConfinement()).toBe("descriptor");
});

describe.each(["descriptor", "realpath"] as const)("confined by %s", (confinement) => {
  test("paths inside the workspace are pinned, also through links; paths outside are rejected", async ({ skip }) => {
    skip(
      confinement === "descriptor" && process.platform !== "linux",
      "only Linux returns the path of a file descriptor",
    );
    const { workspace } = makeWorkspace(confinement);
    await using pinned = await pinPath(workspace, join(workspace.real, "link/a.txt"));
    expect(pinned.real).toBe(join(workspace.real, "sub/a.txt"));
    await using file = await pinned.open(constants.O_RDONLY);
    expect(await file.readFile("utf8")).toBe("inside");
    for (const path of ["out", "out/a.txt"]) {
      await expect(pinPath(workspace, join(workspace.real, path))).rejects.toMatchObject({ code: "EOUTSIDE" });
    }
  });

  test("a path that is not a folder, or a link where none is allowed, is rejected", async ({ skip }) => {
    skip(
      confinement === "descriptor" && process.platform !== "linux",
      "only Linux returns the path of a file descriptor",
    );
    const { workspace } = makeWorkspace(confinement);
    const pin = (path: string, options: object) => pinPath(workspace, join(workspace.real, path), options);
    await expect(pin("sub/a.txt", { directory: true })).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(pin("link", { directory: true, noFollow: true })).rejects.toThrow(/ELOOP|ENOTDIR/);
    await using folder = await pin("sub", { directory: true, noFollow: true });
    expect((await folder.stat()).isDirectory()).toBe(true);
  });

  test("a folder replaced by a link after it was pinned does not lead outside", async ({ skip }) => {
    skip(
      confinement === "descriptor" && process.platform !== "linux",
      "only Linux returns the path of a file descriptor",
    );
    const { workspace, outside } = makeWorkspace(confinement);
    await using pinned = await pinPath(workspace, join(workspace.real, "sub/a.txt"));
    renameSync(join(workspace.real, "sub"), join(workspace.real, "moved"));
    symlinkSync(outside, join(workspace.real, "sub"));
    if (confinement === "realpath") {
      await expect(pinned.open(constants.O_RDONLY)).rejects.toMatchObject({ code: "EOUTSIDE" });
    } else {
      await using file = await pinned.open(constants.O_RDONLY);
      expect(await file.readFile("utf8")).toBe("inside");
    }
  });
});
