import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createRedactor } from "../index.ts";
import { RecentTexts } from "./recent-texts.ts";

test("texts in use stay, others are forgotten, and long texts are never stored", () => {
  const recent = new RecentTexts<number>();
  for (let index = 0; index < 5_000; index += 1) {
    recent.set(`text ${index}`, index);
    recent.set(`text ${index}`, index);
    expect(recent.get("text 0")).toBe(0);
  }
  expect(recent.get("text 4999")).toBe(4_999);
  expect(recent.get("text 1")).toBeUndefined();
  for (const result of [1, 2]) recent.set("x".repeat(129), result);
  expect(recent.get("x".repeat(129))).toBeUndefined();
});

test("a text is stored when its result is given for the second time", () => {
  const recent = new RecentTexts<number>();
  recent.set("name", 1);
  expect(recent.get("name")).toBeUndefined();
  recent.set("name", 1);
  expect(recent.get("name")).toBe(1);
});

/** Memory in use after a complete garbage collection, in bytes. */
function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** Length of a text of which only a short part is remembered. */
const LENGTH = 400_000;
const TEXTS = 40;

test("a short part of a long text does not keep the long text in memory", () => {
  const recent = new RecentTexts<boolean>();
  const before = usedMemory();
  for (let index = 0; index < TEXTS; index += 1) {
    const part = /part of a long text \d+/.exec(`${". ".repeat(LENGTH / 2)}part of a long text ${index}`)?.[0] ?? "";
    recent.set(part, true);
    recent.set(part, true);
  }
  expect(usedMemory() - before).toBeLessThan((TEXTS * LENGTH) / 4);
  expect(recent.get("part of a long text 0")).toBe(true);
});

test("texts that differ only in lone surrogates are different texts", () => {
  const recent = new RecentTexts<number>();
  for (const text of ["\ud800", "\ud800", "\udc00", "\udc00"]) recent.set(text, text === "\ud800" ? 1 : 2);
  expect([recent.get("\ud800"), recent.get("\udc00"), recent.get("\ufffd")]).toEqual([1, 2, undefined]);
});

test("a redactor does not keep the texts that it has redacted in memory", () => {
  const redactor = createRedactor();
  redactor.text("first_use_of_a_name: 1");
  const before = usedMemory();
  for (let index = 0; index < TEXTS; index += 1) {
    const text = `${"0".repeat(LENGTH / 4)} name_of_a_new_field_${index}: 1`;
    // A redactor remembers the name of a field from its second occurrence.
    for (let times = 0; times < 2; times += 1) expect(redactor.text(text)).toBe(text);
  }
  expect(usedMemory() - before).toBeLessThan((TEXTS * LENGTH) / 8);
  expect(redactor.text("first_use_of_a_name: 1")).toBe("first_use_of_a_name: 1");
});
