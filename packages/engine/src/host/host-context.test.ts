import { type Host, textMessage } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  createBoard,
  createDependencies,
  defineEngine,
  hostFromContext,
  hostFuncs,
  noopHost,
  withHost,
} from "../index.ts";

/** A tool. No host is passed to it. */
async function askingTool(): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  const reply = await hostFromContext()?.askUser({ parts: [] });
  const [part] = reply?.parts ?? [];
  return part?.type === "text" ? part.text : "nobody to ask";
}

function answering(text: string): Host {
  return hostFuncs(noopHost(), { askUser: async () => ({ parts: textMessage("user", text).parts }) });
}

function runOf(id: string): Parameters<ReturnType<typeof defineEngine>["execute"]>[0] {
  return { id, attributes: {}, deps: createDependencies(), signal: new AbortController().signal };
}

test("a tool without a host parameter finds the host of the running engine [engine-with-host-1]", async () => {
  const host = answering("yes");
  expect(await withHost(host, askingTool)).toBe("yes");
  expect(withHost(host, hostFromContext)).toBe(host);
  const inner = recordingHost();
  expect(withHost(host, () => withHost(inner, hostFromContext))).toBe(inner);
});

test("outside an engine, or without a host, no host is found, and a tool can detect it [engine-with-host-2]", async () => {
  expect(hostFromContext()).toBeUndefined();
  expect(await withHost(undefined, askingTool)).toBe("nobody to ask");
  const host = answering("yes");
  expect(await withHost(host, () => withHost(undefined, askingTool))).toBe("yes");
  expect(await askingTool()).toBe("nobody to ask");
});

test("a host is found after calls without one, and in handlers after a failure", async () => {
  const host = answering("yes");
  for (let time = 0; time < 3; time += 1) {
    expect(await withHost(host, askingTool)).toBe("yes");
    expect(() => withHost(host, () => JSON.parse("{"))).toThrow(SyntaxError);
    await expect(withHost(host, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(hostFromContext()).toBeUndefined();
  }
});

test("two concurrent runs never find each other's host [engine-with-host-3]", async () => {
  const engine = defineEngine(async (run, host, board) => {
    for (let step = 0; step < 3; step += 1) board.appendSliceVar(run.id, await withHost(host, askingTool));
  });
  const boards = [createBoard(), createBoard()];
  await Promise.all(
    boards.map((board, index) => engine.execute(runOf(`run-${index}`), answering(`host ${index}`), board)),
  );
  expect(boards.map((board) => board.vars())).toEqual([
    { "run-0": ["host 0", "host 0", "host 0"] },
    { "run-1": ["host 1", "host 1", "host 1"] },
  ]);
});
