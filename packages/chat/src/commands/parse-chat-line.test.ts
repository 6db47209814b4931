import { expect, test } from "vitest";
import { imagePathsIn } from "./attached-images.ts";
import { parseChatLine } from "./parse-chat-line.ts";

test.each([
  ["  ", { kind: "empty" }],
  ["Fix it. ", { kind: "message", text: "Fix it." }],
  ["/model anthropic/claude-x ", { kind: "command", name: "model", argument: "anthropic/claude-x" }],
  ["/exit", { kind: "command", name: "quit", argument: "" }],
  ["/etc/hosts is odd", { kind: "message", text: "/etc/hosts is odd" }],
  [" /undo", { kind: "message", text: "/undo" }],
  ["/undo\nand more", { kind: "message", text: "/undo\nand more" }],
  ["/modle", { kind: "unknown", name: "modle", suggestion: "model" }],
  ["/zzz", { kind: "unknown", name: "zzz", suggestion: undefined }],
])("%j", (line, parsed) => {
  expect(parseChatLine(line)).toEqual(parsed);
});

test("images are words after @, or absolute paths, with the extension of an image", () => {
  expect(imagePathsIn('Compare @a.png with @"my shot.jpg", /tmp/b\\ c.webp and @notes.md; mail me@x.png')).toEqual([
    "a.png",
    "my shot.jpg",
    "/tmp/b c.webp",
  ]);
});
