import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../index.ts";
import { DEFAULT_RULES } from "./redaction-rules.ts";

const VALUE = ["Zk3v9Qp2", "Lm8sXy41"].join("");
const NAMES = [
  ...["password", "apiKey", "API_KEY_ID", "tokens", "keyboard", "x.auth-header", "seed_phrase", "webhook url", "PIN"],
  ...[
    "to\u200bken",
    "ｔｏｋｅｎ",
    "pw",
    "sig",
    "Cookie",
    "tokenValue",
    "author",
    "passphrase",
    "item",
    "_private",
    "key_",
    "token_________id",
  ],
];
const MARKS = [
  ...["=", ": ", " := ", '": "', " -> ", " is ", " was set to ", " for root is ", " | ", " ", ":\n", ":\n  \n    "],
  ...["\n", "\r\n", "\n\n\n", "\\u003d", "&quot;: &quot;", '\\":\\"', " => '", ">", "]=", "--", " the "],
];
const REST = [
  "value",
  VALUE,
  VALUE,
  "1234",
  "\n",
  "\r\n",
  " ",
  '"',
  "'",
  "`",
  "<",
  "</",
  "other words",
  "Your ",
  "é",
  "{",
];

test("skipping the lines without names of credentials changes no result", () => {
  const searched = createRedactor();
  // A replaced function may accept any name, so every line is searched.
  const complete = createRedactor({ isSecretWord: (name) => DEFAULT_RULES.isSecretWord(name) });
  const piece = fc.constantFrom(...NAMES, ...MARKS, ...MARKS, ...REST);
  const pair = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...MARKS), fc.constantFrom(...REST));
  const part = fc.oneof(
    piece,
    piece,
    pair.map((texts) => texts.join("")),
    fc.constantFrom("\n", " "),
  );
  let redactions = 0;
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 24 }), (pieces) => {
      const text = pieces.join("");
      const redacted = searched.text(text);
      redactions += redacted === text ? 0 : 1;
      expect(redacted).toBe(complete.text(text));
    }),
    { numRuns: 600 },
  );
  expect(redactions).toBeGreaterThan(10);
});

test("a value some lines after its name is redacted between long texts without names of credentials", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index} of a long text`).join("\n");
  const text = `${lines}\nclient_secret:\n    \n    ${VALUE}\n${lines}`;
  const redacted = createRedactor().text(text);
  expect(redacted).toBe(text.replace(VALUE, "***REDACTED***"));
});
