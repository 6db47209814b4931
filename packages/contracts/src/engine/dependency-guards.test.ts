import { expect, test } from "vitest";
import { isControlSource, isExecutionEnvironment, isHistoryStore, isOutputSpool, isToolSource } from "../index.ts";

const strangers: readonly unknown[] = [undefined, null, 7, "environment", [], {}, { exec: true }];

class Place {
  readFile(): void {}
  writeFile(): void {}
  exec(): void {}
  shell(): void {}
  grep(): void {}
  glob(): void {}
}

test("an environment is told by what it can do, be it an object or of a class", () => {
  const { readFile, writeFile, exec, shell, grep, glob } = Place.prototype;
  const plain = { readFile, writeFile, exec, shell, grep, glob };
  expect([new Place(), plain].map(isExecutionEnvironment)).toEqual([true, true]);
  expect(isExecutionEnvironment({ ...plain, glob: undefined })).toBe(false);
  expect(strangers.filter(isExecutionEnvironment)).toEqual([]);
});

test("a source of control messages is told by what it can do", () => {
  expect(isControlSource({ drain: () => [], onMessage: () => () => {} })).toBe(true);
  expect([...strangers, { drain: () => [] }].filter(isControlSource)).toEqual([]);
});

test("what keeps outputs is told by what it can do", () => {
  expect(isOutputSpool({ open: () => ({}) })).toBe(true);
  expect(strangers.filter(isOutputSpool)).toEqual([]);
});

test("a source of tools is told by what it can do", () => {
  expect(isToolSource({ tools: () => [], onChange: () => () => {} })).toBe(true);
  expect([...strangers, { tools: () => [] }].filter(isToolSource)).toEqual([]);
});

test("a history store is told by its method", () => {
  expect(isHistoryStore({ load: async () => undefined })).toBe(true);
  expect([undefined, null, {}, { load: 1 }, "store"].filter(isHistoryStore)).toEqual([]);
});
