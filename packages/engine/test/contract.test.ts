import { boardContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { createBoard } from "../src/index.ts";

describe("the board keeps its contract", () => {
  for (const one of boardContract) test(one.title, ({ skip }) => one.run(createBoard, { onSkip: skip }));
});
