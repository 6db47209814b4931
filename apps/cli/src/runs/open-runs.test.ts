import { EngineError, type RunStore } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createFakeContext } from "../../test/fake-context.ts";
import { findRun } from "./open-runs.ts";

const IDS = ["run-one", "run-one-more", "run-two", "other"];
const { context } = createFakeContext();

/** A store with these runs, and how often all of them were looked at. */
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
  const find = async (id: string) => (await findRun(context, store, { id, command: "runs show" })).runId;
  return { find, lists: () => lists };
}

test("a run whose whole id is given is found without a look at all others, also where it begins another's", async () => {
  const { find, lists } = createStore();
  expect([await find("run-one"), await find("other")]).toEqual(["run-one", "other"]);
  expect(lists()).toBe(0);
});

test("the beginning of an id finds the one run that has it", async () => {
  const { find } = createStore();
  expect([await find("o"), await find("run-t"), await find("run-one-")]).toEqual(["other", "run-two", "run-one-more"]);
  await expect(find("run-")).rejects.toThrow("run- matches 3 runs");
  for (const id of ["nobody", "../other", "run one"]) {
    await expect(find(id)).rejects.toMatchObject({ code: "run.not_found" });
  }
});
