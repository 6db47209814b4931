import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBelow, resolveWorkspacePath } from "./workspace-path.ts";

const root = { real: "/srv/place", aliases: ["/link"] };

test.each([
  ["a.txt", "/srv/place/a.txt", "a.txt"],
  ["./a/../b", "/srv/place/b", "b"],
  ["/srv/place/a", "/srv/place/a", "a"],
  ["/link/a", "/srv/place/a", "a"],
  [".", "/srv/place", ""],
  ["..a/b", "/srv/place/..a/b", "..a/b"],
])("%s is resolved against the working directory [loop-4.2-1]", (path, absolute, relative) => {
  expect(resolveWorkspacePath(root, path)).toEqual({ given: path, absolute, relative });
});

test.each(["..", "../place2/a", "/", "/srv/place2", "/srv/placement/a", "a/../../b", "/etc/passwd"])(
  "%s is outside the workspace",
  (path) => {
    expect(() => resolveWorkspacePath(root, path)).toThrow(
      expect.objectContaining({ code: "environment.path_outside_workspace" }),
    );
  },
);

test.each(["", "a\0b", "x".repeat(256), "é".repeat(128), "a/".repeat(3000), "\ud800"])(
  "a path that no file system accepts is rejected: %j",
  (path) => {
    expect(() => resolveWorkspacePath(root, path)).toThrow(
      expect.objectContaining({ code: "environment.invalid_path" }),
    );
  },
);

test("names up to 255 bytes are accepted", () => {
  expect(resolveWorkspacePath(root, "x".repeat(255)).relative).toHaveLength(255);
});

test("no path resolves to a location outside the workspace", () => {
  const segment = fc.oneof(
    fc.constantFrom("..", ".", "", "a", "link", "...", "..a", "\\..", "work", "place"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(segment), fc.constantFrom("", "/", "/srv/", "/link/"), (segments, prefix) => {
      try {
        const { absolute, relative } = resolveWorkspacePath(root, prefix + segments.join("/"));
        expect(isBelow(root, absolute)).toBe(true);
        expect(relative.split("/")).not.toContain("..");
      } catch (error) {
        expect(EngineError.is(error)).toBe(true);
      }
    }),
  );
});

test("Windows paths follow their own rules", () => {
  const windows = { real: "C:\\work", style: "windows" } as const;
  expect(resolveWorkspacePath(windows, "a\\b").relative).toBe("a/b");
  expect(resolveWorkspacePath(windows, "c:\\WORK\\a").relative).toBe("a");
  expect(() => resolveWorkspacePath(windows, "D:\\work\\a")).toThrow();
  expect(() => resolveWorkspacePath(windows, "..\\a")).toThrow();
});
