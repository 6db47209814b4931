import { expect, test } from "vitest";
import { neutraliseControls, toPlainJson } from "./neutralise-controls.ts";

test("terminal escapes become visible and harmless", () => {
  expect(neutraliseControls("\u001b[2Jcleared\u0007 \u009b31m \u007f")).toBe("␛[2Jcleared␇ \ufffd31m ␡");
});

test("marks that turn the direction of text become visible", () => {
  expect(neutraliseControls("a\u202eb\u2066c")).toBe("a\\u202eb\\u2066c");
});

test("invisible characters are shown as escapes", () => {
  expect(neutraliseControls("x\u{e0041}\u00ad\u200b\u3164\u206a")).toBe("x\\u{e0041}\\u00ad\\u200b\\u3164\\u206a");
  expect(neutraliseControls("👩‍💻 ❤️ می\u200cخواهم")).toBe("👩‍💻 ❤️ می\u200cخواهم");
});

test("line ends become one kind, tabs and text stay", () => {
  expect(neutraliseControls("a\tb\r\nc\rd\r\r\ne é 漢")).toBe("a\tb\nc\nd\ne é 漢");
});

test("plain JSON holds no control character and decodes to the same value", () => {
  const value = { text: "\u001b]0;title\u0007 \u009b \u202e \u2028 \n é \u{e0041}\u00ad\u3164 👩‍💻" };
  const json = toPlainJson(value);
  expect(/[\p{Cc}\u202a-\u202e\u2028\u00ad\u3164\u{e0041}]/u.test(json)).toBe(false);
  expect(JSON.parse(json)).toEqual(value);
});
