import { expect, test } from "vitest";
import { RecentTexts } from "./recent-texts.ts";

test("texts in use stay, others are forgotten, and long texts are never stored", () => {
  const recent = new RecentTexts<number>();
  for (let index = 0; index < 5_000; index += 1) {
    recent.set(`text ${index}`, index);
    expect(recent.get("text 0")).toBe(0);
  }
  expect(recent.get("text 4999")).toBe(4_999);
  expect(recent.get("text 1")).toBeUndefined();
  recent.set("x".repeat(129), 1);
  expect(recent.get("x".repeat(129))).toBeUndefined();
});
