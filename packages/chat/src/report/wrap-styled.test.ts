import { stripVTControlCharacters } from "node:util";
import picocolors from "picocolors";
import { expect, test } from "vitest";
import { wrapStyled } from "./wrap-styled.ts";

const colours = picocolors.createColors(true);

test("a styled line is wrapped at spaces like a plain one, and keeps its styles", () => {
  const line = `${colours.red("error:")} one two three four five`;
  expect(wrapStyled(stripVTControlCharacters(line), 12)).toEqual(["error: one", "two three", "four five"]);
  const wrapped = wrapStyled(line, 12);
  expect(wrapped.map(stripVTControlCharacters)).toEqual(["error: one", "two three", "four five"]);
  expect(wrapped[0]).toBe(`${colours.red("error:")} one`);
  expect(wrapStyled(colours.dim("aaaa bbbb cccc dddd"), 10).join(" ")).toBe(colours.dim("aaaa bbbb cccc dddd"));
});

test("a line that fits is unchanged", () => {
  expect(wrapStyled(colours.dim("short"), 10)).toEqual([colours.dim("short")]);
});
