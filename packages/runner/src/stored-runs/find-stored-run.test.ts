import { EngineError, type RunStore } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { findStoredRun } from "./find-stored-run.ts";

const IDS = ["run-one", "run-one-more", "run-two", "other"];

/** Creates a store with these runs, which counts how often all runs were listed. */
function createStore() {
  let lists = 0;
  const store: Pick<RunStore, "list" | "show"> = {
    show: async (runId) => {
      if (!/^[\w-]+$/.test(runId)) throw new EngineError("run.invalid_id", { runId });
      if (!IDS.includes(runId)) throw new EngineError("run.not_found", { runId, stateDirectory: "/state" });
      return { runId, folder: `/state/${runId}`, problems: [] };
    },
    list: async () => {
      lists += 1;
      const problem = new EngineError("run.malformed_record", { path: "run.json", problem: "it is empty" });
      return IDS.map((runId) => ({ runId, location: `/state/${runId}`, problem }));
    },
  };
  const find = async (id: string) => {
    const found = await findStoredRun(store, id);
    return "run" in found ? found.run.runId : found.matches;
  };
  return { find, lists: () => lists };
}

test("a run is found by its whole id without listing all runs, also if another id begins with it", async () => {
  const { find, lists } = createStore();
  expect([await find("run-one"), await find("other")]).toEqual(["run-one", "other"]);
  expect(lists()).toBe(0);
});

test("the beginning of an id finds the only run that matches, otherwise all matching ids", async () => {
  const { find } = createStore();
  expect([await find("o"), await find("run-t"), await find("run-one-")]).toEqual(["other", "run-two", "run-one-more"]);
  expect(await find("run-")).toEqual(["run-one", "run-one-more", "run-two"]);
  for (const id of ["nobody", "../other", "run one"]) expect(await find(id)).toEqual([]);
});

test("`last` finds the newest run, which the store lists first", async () => {
  const { find } = createStore();
  expect(await find("last")).toBe("run-one");
  expect(await findStoredRun({ show: missing, list: async () => [] }, "last")).toEqual({ matches: [] });
});

async function missing(runId: string): Promise<never> {
  throw new EngineError("run.not_found", { runId, stateDirectory: "/state" });
}
