import { DEPENDENCY, EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { cloneDependencies, createDependencies, getDependency } from "../index.ts";

const isText = (value: unknown): value is string => typeof value === "string";

function classOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return EngineError.is(error) ? `${error.code} ${error.class}` : String(error);
  }
  return "none";
}

test("dependencies are set, read, tested and removed by key [engine-dependencies-1] [engine-dependencies-2] [engine-dependencies-3]", () => {
  const key = Symbol("key");
  const dependencies = createDependencies([[key, 1]]);
  dependencies.set("name", undefined);
  dependencies.set(key, 2);
  expect([dependencies.get(key), dependencies.has(key), dependencies.has("name"), dependencies.has("other")]).toEqual([
    2,
    true,
    true,
    false,
  ]);
  dependencies.remove(key);
  dependencies.remove("other");
  expect(dependencies.has(key)).toBe(false);
});

test("a typed look-up returns the value or the reason for the failure [engine-dependencies-4] [engine-dependencies-5] [engine-dependencies-6] [engine-dependencies-7] [engine-run-6]", () => {
  const dependencies = createDependencies([
    ["text", "a"],
    ["number", 1],
  ]);
  expect(getDependency(dependencies, "text", isText)).toBe("a");
  expect(classOf(() => getDependency(undefined, "text", isText))).toBe("dependency.no_container internal");
  expect(classOf(() => getDependency(dependencies, "missing", isText))).toBe("dependency.not_found not_found");
  expect(classOf(() => getDependency(dependencies, "number", isText))).toBe("dependency.wrong_type validation");
  expect(classOf(() => getDependency(dependencies, Symbol("s"), isText))).toBe("dependency.not_found not_found");
});

test("a clone has its own keys and the same values [engine-dependencies-8] [engine-dependencies-9] [engine-dependencies-10]", () => {
  const shared = { a: 1 };
  const original = createDependencies([["shared", shared]]);
  const clone = original.clone();
  clone.set("more", 1);
  clone.remove("shared");
  expect([original.has("more"), original.get("shared")]).toEqual([false, shared]);
  expect(cloneDependencies(original)?.get("shared")).toBe(shared);
  expect(cloneDependencies(undefined)).toBeUndefined();
});

test("the conventional names are those of the contract [engine-depname-1]", () => {
  expect(DEPENDENCY).toMatchObject({
    llmClient: "llm.client",
    llmResolver: "llm.resolver",
    toolRegistry: "tool.registry",
    toolAllowedNames: "tool.allowed_names",
    historyStore: "history.store",
  });
});

test("every conventional name is a package and a noun with a dot between them", () => {
  for (const name of Object.values(DEPENDENCY)) expect(name).toMatch(/^[a-z][a-z_]*\.[a-z][a-z_]*$/u);
  expect(new Set(Object.values(DEPENDENCY)).size).toBe(Object.keys(DEPENDENCY).length);
});

test("an engine that was built with the names without a dot finds its dependencies", () => {
  const dependencies = createDependencies([
    [DEPENDENCY.environment, "place"],
    ["control", "messages"],
  ]);
  dependencies.set("secrets", "values");
  expect(["environment", "control", "secrets"].map((name) => dependencies.get(name))).toEqual([
    "place",
    "messages",
    "values",
  ]);
  expect(dependencies.get(DEPENDENCY.control)).toBe("messages");
  expect(getDependency(dependencies, DEPENDENCY.secrets, isText)).toBe("values");
  expect(dependencies.clone().has("environment")).toBe(true);
  dependencies.remove("environment");
  expect(dependencies.has(DEPENDENCY.environment)).toBe(false);
});
