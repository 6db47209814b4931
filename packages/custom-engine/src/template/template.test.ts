import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTemplate } from "./template.ts";

test.each([
  ["plain", [{ kind: "literal", text: "plain" }]],
  ["", []],
  ["${A}", [{ kind: "reference", name: "A" }]],
  [
    "a${A}b",
    [
      { kind: "literal", text: "a" },
      { kind: "reference", name: "A" },
      { kind: "literal", text: "b" },
    ],
  ],
  ["${A:-x y}", [{ kind: "reference", name: "A", fallback: "x y" }]],
  ["${A:-}", [{ kind: "reference", name: "A", fallback: "" }]],
  ["${A?is needed}", [{ kind: "reference", name: "A", message: "is needed" }]],
  ["${A?}", [{ kind: "reference", name: "A", message: "" }]],
])("%s is split into its parts [custom-env-refs-2] [custom-env-refs-3]", (text, tokens) => {
  expect(parseTemplate(text)).toEqual(tokens);
});

test("a default is looked for before a message, and the first closing brace ends a reference [custom-env-refs-8]", () => {
  expect(parseTemplate("${FOO?a:-b}")).toEqual([{ kind: "reference", name: "FOO?a", fallback: "b" }]);
  expect(parseTemplate("${A:-${B}}")).toEqual([
    { kind: "reference", name: "A", fallback: "${B" },
    { kind: "literal", text: "}" },
  ]);
});

test.each(["${A", "a ${", "${A:-b", "$A", "{A}"])("%s stays as it is written [custom-env-refs-9]", (text) => {
  expect(parseTemplate(text)).toEqual([{ kind: "literal", text }]);
});

test("any text without an opening is one literal, and literals return the original text", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const tokens = parseTemplate(text);
      const written = tokens.map((token) => {
        if (token.kind === "literal") return token.text;
        const { name, fallback, message } = token;
        return `\${${name}${fallback === undefined ? "" : `:-${fallback}`}${message === undefined ? "" : `?${message}`}}`;
      });
      expect(written.join("")).toBe(text);
    }),
  );
});
