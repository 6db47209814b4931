import { describe, expect, test } from "vitest";
import { EngineError } from "./engine-error.ts";
import { ERROR_CODES, errorRow } from "./error-table.ts";
import { errorText, toSentence } from "./error-text.ts";

/** Names of options of the libraries, which users of the command line do not know. */
const LIBRARY_TERMS = [
  ...[/`apiKey`/, /`baseUrl`/, /`root`/, /`list`/, /\bstateDirectory\b/, /\btakeOver\b/, /`engine`/, /`model`/],
  ...[/user prompter/i, /\ba registry\b/, /\bof the store\b/, /\bhand in\b/i, /, or set `agent\.command`/],
];

/** Returns a text for every placeholder of an error, as problems usually are: without a full stop. */
function detailsOf(code: (typeof ERROR_CODES)[number]): Record<string, string> {
  const { message, remedy } = errorRow(code);
  const names = [...`${message} ${remedy}`.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, "it does not match"]));
}

describe.each(ERROR_CODES)("the error %s", (code) => {
  const { message, remedy } = new EngineError(code, detailsOf(code));

  test("has sentences with full stops, also between message and remedy", () => {
    const text = errorText({ message, remedy });
    expect(text).toMatch(/[.!?][)`]?$/);
    expect(text).not.toContain("..");
    const before = text.slice(0, text.length - toSentence(remedy).length).trimEnd();
    expect(before).toMatch(/[.!?][)`]?$/);
    expect(remedy).toMatch(/^[A-Zi]/);
  });

  test("names flags and settings, not the options of a library", () => {
    for (const term of LIBRARY_TERMS) expect(`${message} ${remedy}`).not.toMatch(term);
  });
});

test.each([
  ["it does not match", "it does not match."],
  ["it ends.", "it ends."],
  ["it ends (here).", "it ends (here)."],
  ["it ends with `npm test`", "it ends with `npm test`."],
  ['it says "stop."', 'it says "stop."'],
  ["one line\nanother line\n", "one line\nanother line."],
  ["Why?", "Why?"],
  ["", ""],
])("%j becomes the sentence %j", (text, sentence) => {
  expect(toSentence(text)).toBe(sentence);
});
