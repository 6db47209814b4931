import { expect, test } from "vitest";
import { createLineRedactor } from "./create-line-redactor.ts";

const VALUE = ["Zk3v9Qp2", "Lm8sXy41"].join("");

test.each([`Password:\n${VALUE}\n`, `ready\npassword: >-\r\n  ${VALUE}\r\nnext\n`, `Your new token:\n\n  ${VALUE}\n`])(
  "a value on the line after its name is redacted, at any split: %j",
  (text) => {
    for (let at = 0; at <= text.length; at += 1) {
      const redactor = createLineRedactor();
      const shown = redactor.write(text.slice(0, at)) + redactor.write(text.slice(at)) + redactor.end();
      expect(shown).not.toContain(VALUE);
      expect(shown).toContain("[REDACTED]");
    }
  },
);

test("other lines are emitted as soon as they end", () => {
  const redactor = createLineRedactor();
  expect(redactor.write("Working\nNext step:\n")).toBe("Working\nNext step:\n");
});
