import type { SessionInput } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createFakeContext } from "../../test/fake-context.ts";
import { withInputOptions } from "./with-input-options.ts";

const TASK: SessionInput = { messages: [{ role: "user", content: "Do it." }] };
const CONFIGURED = { model: "a/settings", maxTurns: 1, timeout: 2, retryFor: 3 };
const INPUT: SessionInput = { ...TASK, model: "a/input", max_turns: 4, timeout_seconds: 5, retry_for_seconds: 6 };

const { context } = createFakeContext({ env: {} });
const { context: contextWithModel } = createFakeContext({ env: { SWITCHYARD_MODEL: "a/variable" } });

test("settings files provide the options that are not given elsewhere", () => {
  const filled = withInputOptions(context, { engine: "agent", configured: CONFIGURED }, TASK);
  expect(filled).toEqual({ ...TASK, model: "a/settings", max_turns: 1, timeout_seconds: 2, retry_for_seconds: 3 });
});

test("the input takes precedence over settings files and SWITCHYARD_MODEL, and options over the input", () => {
  const options = { engine: "agent", configured: CONFIGURED };
  expect(withInputOptions(contextWithModel, options, INPUT)).toEqual(INPUT);
  const typed = { ...options, model: "a/option", maxTurns: 7, timeout: 8, retryFor: 0 };
  const limits = { max_turns: 7, timeout_seconds: 8, retry_for_seconds: 0 };
  expect(withInputOptions(contextWithModel, typed, INPUT)).toEqual({ ...TASK, model: "a/option", ...limits });
});

test("SWITCHYARD_MODEL takes precedence over settings files, and neither changes the model of an engine configuration", () => {
  const options = { configured: { model: "a/settings" } };
  expect(withInputOptions(contextWithModel, { ...options, engine: "agent" }, TASK).model).toBe("a/variable");
  expect(withInputOptions(contextWithModel, { ...options, engine: "./engine.yaml" }, TASK).model).toBeUndefined();
});
