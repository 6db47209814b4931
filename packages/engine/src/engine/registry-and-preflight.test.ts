import { EngineError, type Run } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { createBoard, createDependencies, createEngineRegistry, defineEngine, preflight } from "../index.ts";

const engine = defineEngine();

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
  return "none";
}

test("an engine is found by its name and made once, when it is needed", async () => {
  let made = 0;
  const registry = createEngineRegistry({
    ready: engine,
    lazy: async () => {
      made += 1;
      return engine;
    },
  });
  expect(registry.names()).toEqual(["lazy", "ready"]);
  expect(made).toBe(0);
  expect(await Promise.all([registry.resolve("lazy"), registry.resolve("lazy"), registry.resolve("ready")])).toEqual([
    engine,
    engine,
    engine,
  ]);
  expect(made).toBe(1);
});

test("any name is allowed for an engine, and its events name the run, not the kind [engine-overview-4]", async () => {
  const registry = createEngineRegistry({ "my own kind": engine, graph: defineEngine() });
  const signal = new AbortController().signal;
  for (const name of registry.names()) {
    const host = recordingHost();
    const run: Run = { id: "r", attributes: {}, deps: createDependencies(), signal };
    await (await registry.resolve(name)).execute(run, host, createBoard());
    expect(host.envelopes.map(({ subject }) => subject)).toEqual(["engine.run.r.start", "engine.run.r.end"]);
  }
});

test("an unknown name is refused with the known ones, names of objects' own things included", async () => {
  const registry = createEngineRegistry({ a: engine, b: engine });
  await expect(registry.resolve("c")).rejects.toThrow("No engine is named c. Known engines: a, b.");
  await expect(registry.resolve("toString")).rejects.toThrow(EngineError);
});

test("a name is given once", () => {
  const registry = createEngineRegistry();
  registry.register("a", engine);
  expect(codeOf(() => registry.register("a", engine))).toBe("engine.duplicate");
});

test("an object whose creation failed is created again", async () => {
  let tries = 0;
  const registry = createEngineRegistry({
    flaky: () => {
      tries += 1;
      if (tries === 1) throw new Error("not yet");
      return engine;
    },
  });
  await expect(registry.resolve("flaky")).rejects.toThrow("not yet");
  expect(await registry.resolve("flaky")).toBe(engine);
});

test("a run is refused before it starts when it cannot succeed [engine-capabilities-8] [engine-capabilities-9] [engine-capabilities-10]", () => {
  const run: Run = {
    id: "r",
    attributes: {},
    deps: createDependencies([["llm.client", {}]]),
    signal: new AbortController().signal,
  };
  const checkpoint = { execId: "r", board: createBoard().snapshot(), timestamp: "" };
  const options = { name: "mine", headless: true };
  const needsClient = defineEngine(undefined, { requiredDependencies: ["llm.client"] });
  const needsMore = defineEngine(undefined, { requiredDependencies: ["llm.client", "environment.execution"] });
  const asks = defineEngine(undefined, { emitsUserPrompt: true });
  const resumes = defineEngine(undefined, { supportsResume: true });
  expect(codeOf(() => preflight(needsClient, run, options))).toBe("none");
  expect(codeOf(() => preflight(needsMore, run, options))).toBe("engine.missing_dependency");
  expect(codeOf(() => preflight(asks, run, options))).toBe("engine.needs_user");
  expect(codeOf(() => preflight(asks, run, { ...options, headless: false }))).toBe("none");
  expect(codeOf(() => preflight(engine, { ...run, resumeFrom: checkpoint }, options))).toBe("checkpoint.unsupported");
  expect(codeOf(() => preflight(resumes, { ...run, resumeFrom: checkpoint }, options))).toBe("none");
  expect(codeOf(() => preflight(engine, { ...run, resumeFrom: { ...checkpoint, execId: "x" } }, options))).toBe(
    "checkpoint.foreign",
  );
});
