import { expect, test } from "vitest";
import { locationsOf } from "./file-changes.ts";

test("the locations of a tool call are the files that its arguments name, once each", () => {
  const pathsOf = (args: unknown) => locationsOf(args, "/project").map(({ path }) => path);
  expect(pathsOf({ path: "a.ts", file_path: "/project/a.ts", move_to: "b.ts" })).toEqual([
    "/project/a.ts",
    "/project/b.ts",
  ]);
  expect(pathsOf({ changes: [{ path: "/c.ts" }, { path: "d.ts" }, { path: 1 }, "e.ts"] })).toEqual([
    "/c.ts",
    "/project/d.ts",
  ]);
  expect(pathsOf({ patch: "*** Update File: f.ts\n*** Move to: g.ts\n" })).toEqual(["/project/f.ts", "/project/g.ts"]);
  expect(pathsOf("*** Delete File: h.ts\n")).toEqual(["/project/h.ts"]);
  expect(pathsOf({ path: "", file_path: 7, command: "ls" })).toEqual([]);
});

test("the locations of a tool call contain the line from which the call reads", () => {
  expect(locationsOf({ path: "a.ts", offset: 12 }, "/project")).toEqual([{ path: "/project/a.ts", line: 12 }]);
});
