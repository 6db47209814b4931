import { expect, test } from "vitest";
import { findHomeFolder } from "./home-folder.ts";

function unknown(): string {
  throw new Error("nobody knows this user");
}

test.each<[string | undefined, readonly (() => string)[]]>([
  ["/home/a", [() => "/home/a", () => "/home/b"]],
  ["/home/b", [() => "", () => "/home/b"]],
  ["/home/b", [() => ".", () => "/home/b"]],
  ["/home/b", [unknown, () => "/home/b"]],
  [undefined, [() => "here", unknown]],
])("the home folder is %j: the first that is an absolute path", (expected, sources) => {
  expect(findHomeFolder(sources)).toBe(expected);
});
