import { withLogging, withReadBeforeWrite } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";
import { openWorkspace } from "../open-workspace.ts";

test("a read that finishes after a write does not mark the written file as changed", async () => {
  const workspace = await openWorkspace();
  const inner = workspace.environment;
  let release = (): void => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const readFile = async (path: string): Promise<string> => {
    const text = await inner.readFile(path);
    begin();
    await blocked;
    return text;
  };
  await inner.writeFile("a.txt", "old");
  const guarded = withReadBeforeWrite({ ...withLogging(inner, () => {}), readFile });
  await guarded.readBytes("a.txt");
  const reading = guarded.readFile("a.txt");
  await begun;
  await guarded.writeFile("a.txt", "new and longer");
  release();
  expect(await reading).toBe("old");
  await guarded.writeFile("a.txt", "newest");
  expect(await inner.readFile("a.txt")).toBe("newest");
});
