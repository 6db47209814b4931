import { expect, test } from "vitest";
import { shortIdsOf } from "./short-ids.ts";

test("ids are shortened to ten characters, or to what distinguishes them", () => {
  const ids = ["01jdaaaaaaaa1", "01jdaaaaaaab2", "01jdaaaaaaab3", "01zz", "01jbcccccccccc"];
  expect([...shortIdsOf(ids)]).toEqual([
    ["01jbcccccccccc", "01jbcccccc"],
    ["01jdaaaaaaaa1", "01jdaaaaaaaa"],
    ["01jdaaaaaaab2", "01jdaaaaaaab2"],
    ["01jdaaaaaaab3", "01jdaaaaaaab3"],
    ["01zz", "01zz"],
  ]);
});
