import { expect, test } from "vitest";
import {
  isControlSource,
  isEffectJournal,
  isExecutionEnvironment,
  isHistoryStore,
  isOutputSpool,
  isSharedModelBudget,
  isToolSource,
} from "../index.ts";

const strangers: readonly unknown[] = [undefined, null, 7, "environment", [], {}, { exec: true }];

class CustomEnvironment {
  readFile(): void {}
  writeFile(): void {}
  exec(): void {}
  shell(): void {}
  grep(): void {}
  glob(): void {}
}

test("an environment is recognised by its methods, whether a plain object or a class instance", () => {
  const { readFile, writeFile, exec, shell, grep, glob } = CustomEnvironment.prototype;
  const plain = { readFile, writeFile, exec, shell, grep, glob };
  expect([new CustomEnvironment(), plain].map(isExecutionEnvironment)).toEqual([true, true]);
  expect(isExecutionEnvironment({ ...plain, glob: undefined })).toBe(false);
  expect(strangers.filter(isExecutionEnvironment)).toEqual([]);
});

test("a control source is recognised by its methods", () => {
  expect(isControlSource({ drain: () => [], onMessage: () => () => {} })).toBe(true);
  expect([...strangers, { drain: () => [] }].filter(isControlSource)).toEqual([]);
});

test("an output spool is recognised by its methods", () => {
  expect(isOutputSpool({ open: () => ({}) })).toBe(true);
  expect(strangers.filter(isOutputSpool)).toEqual([]);
});

test("a shared budget is recognised by its methods", () => {
  expect(isSharedModelBudget({ reserve: async () => ({}), refusal: () => undefined })).toBe(true);
  expect([...strangers, { reserve: async () => ({}) }].filter(isSharedModelBudget)).toEqual([]);
});

test("an effect journal is recognised by its methods", () => {
  const [find, intend, begin, end, forget] = [() => ({ kind: "new" }), () => {}, () => {}, () => {}, () => {}];
  expect(isEffectJournal({ find, intend, begin, end, forget })).toBe(true);
  expect([...strangers, { find, intend, begin, end }].filter(isEffectJournal)).toEqual([]);
});

test("a tool source is recognised by its methods", () => {
  expect(isToolSource({ tools: () => [], onChange: () => () => {} })).toBe(true);
  expect([...strangers, { tools: () => [] }].filter(isToolSource)).toEqual([]);
});

test("a history store is recognised by its method", () => {
  expect(isHistoryStore({ load: async () => undefined })).toBe(true);
  expect([undefined, null, {}, { load: 1 }, "store"].filter(isHistoryStore)).toEqual([]);
});
