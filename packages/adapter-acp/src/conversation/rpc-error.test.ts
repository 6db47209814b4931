import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { isSessionUnknown } from "./rpc-error.ts";

function answered(message: string, more: Readonly<Record<string, unknown>> = {}): EngineError {
  return new EngineError("adapter.response_error", { problem: message }, { cause: { code: -32603, message, ...more } });
}

test.each([
  answered("Resource not found: Session 2d4f not found", { code: -32002 }),
  answered("Internal error", { data: { details: "no rollout found for thread id 01a1" } }),
  answered("Session not found: ses_1"),
  answered('Invalid session identifier "2d4f".'),
  answered("No previous sessions found for this project."),
])("a missing session of an agent is recognised by the error code or the text: %s [adapter-resume-6]", (error) => {
  expect(isSessionUnknown(error)).toBe(true);
});

test.each([
  answered("Internal error: OpenCode service failure", { data: { service: "directory" } }),
  answered("Authentication required", { code: -32000 }),
  answered("The model of the session failed. A file was not found."),
  new EngineError("adapter.response_timeout", { timeoutMs: 1 }),
])("any other failure does not mean a missing session: %s [adapter-resume-6]", (error) => {
  expect(isSessionUnknown(error)).toBe(false);
});
