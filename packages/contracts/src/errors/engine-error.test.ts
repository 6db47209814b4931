import { describe, expect, test } from "vitest";
import {
  EngineError,
  ERROR_CODES,
  errorRow,
  findEngineError,
  HTTP_STATUS_BY_CLASS,
  hasErrorClass,
  httpStatusOf,
  isErrorCode,
  toEngineError,
} from "../index.ts";

/** Problems of a request for which HTTP has a more specific status. */
const EXPECTED_STATUSES: ReadonlyMap<string, number> = new Map([
  ["gateway.budget_exceeded", 402],
  ["gateway.shared_budget_exceeded", 402],
  ["gateway.price_unknown", 402],
  ["gateway.request_too_large", 413],
  ["server.method_not_allowed", 405],
  ["server.request_timeout", 408],
  ["server.body_too_large", 413],
  ["server.unsupported_media_type", 415],
  ["server.key_reused", 422],
]);

describe("error table", () => {
  test.each(ERROR_CODES)("%s names an area and a problem, and has a message and a remedy", (code) => {
    const row = errorRow(code);
    expect(code).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(row.message).toMatch(/^[A-Z{]/);
    expect(row.remedy).toMatch(/[.}]$/);
    expect(row.httpStatus).toBe(EXPECTED_STATUSES.get(code) ?? HTTP_STATUS_BY_CLASS[row.class]);
    expect([1, 2, 3, 4, 130]).toContain(row.exitCode);
  });

  test("the thirteen classes have the statuses of the specification [engine-errors-1, engine-errors-4]", () => {
    expect(HTTP_STATUS_BY_CLASS).toEqual({
      not_found: 404,
      validation: 400,
      unauthorized: 401,
      forbidden: 403,
      conflict: 409,
      rate_limit: 429,
      budget_exceeded: 429,
      policy_denied: 403,
      timeout: 504,
      not_available: 503,
      internal: 500,
      interrupted: 409,
      aborted: 409,
    });
  });

  test("a name from an object's prototype is not a code", () => {
    expect(isErrorCode("constructor")).toBe(false);
    expect(isErrorCode("run.cancelled")).toBe(true);
  });

  test("interrupts and cancellations exit with 130, configuration with 2, engines with 3", () => {
    expect(errorRow("run.interrupted").exitCode).toBe(130);
    expect(errorRow("run.cancelled").exitCode).toBe(130);
    expect(errorRow("model.missing_key").exitCode).toBe(2);
    expect(errorRow("llm.server_error").exitCode).toBe(3);
    expect(errorRow("tool.failed").exitCode).toBe(1);
  });
});

describe("adapter errors", () => {
  test.each([
    "adapter.agent_not_found",
    "adapter.invalid_workspace_cwd",
    "adapter.turn_input_required",
    "adapter.turn_cancelled",
  ] as const)("%s is not retried [adapter-error-kinds-1]", (code) => {
    expect(errorRow(code).retryable).toBe(false);
  });

  test.each([
    "adapter.response_error",
    "adapter.response_timeout",
    "adapter.turn_timeout",
    "adapter.turn_failed",
    "adapter.port_exit",
  ] as const)("%s may be retried [adapter-error-kinds-2]", (code) => {
    expect(errorRow(code).retryable).toBe(true);
  });
});

describe("EngineError", () => {
  test("fills message and remedy from its details and preserves the cause", () => {
    const cause = new Error("boom");
    const error = new EngineError("workspace.not_found", { path: "/nowhere" }, { cause });
    expect(error.message).toBe("The workspace /nowhere does not exist.");
    expect(error.remedy).toContain("--workspace");
    expect(error.cause).toBe(cause);
    expect(error.class).toBe("validation");
  });

  test("reports a missing detail instead of printing a placeholder", () => {
    expect(new EngineError("workspace.not_found").message).toBe("The workspace (unknown path) does not exist.");
  });

  test("a detail that looks like a placeholder is not filled again", () => {
    expect(new EngineError("usage.invalid", { problem: "{command}", command: "run" }).message).toBe("{command}");
  });

  test("is recognised by its code, also if another copy of the package created it [engine-errors-3]", () => {
    const foreign = Object.defineProperty(new Error("from a copy"), Symbol.for("switchyard.engine-error"), {
      value: true,
    });
    expect(EngineError.is(Object.assign(foreign, { code: "run.cancelled" }), "run.cancelled")).toBe(true);
    expect(EngineError.is(foreign, "run.not_found")).toBe(false);
    expect(EngineError.is(new Error("plain"))).toBe(false);
    expect(EngineError.is("run.cancelled")).toBe(false);
  });

  test("is serialised without its details, cause and stack", () => {
    const error = new EngineError("llm.rate_limited", { provider: "openai", status: 429, problem: "slow down" });
    expect(JSON.parse(JSON.stringify(error.toWire()))).toEqual({
      code: "llm.rate_limited",
      class: "rate_limit",
      message: "openai rejected the request because of a rate limit (HTTP 429): slow down",
      remedy: "Wait and run again, or lower the concurrency.",
      retryable: true,
    });
  });
});

describe("causes", () => {
  test("map to the status of the class, to 500 for an unknown error, and to 200 without an error [engine-errors-4]", () => {
    const [missing, invalid] = [new EngineError("run.not_found"), new EngineError("run.invalid_id")];
    expect([undefined, null, new Error("x"), "text", missing, invalid].map(httpStatusOf)).toEqual([
      200, 200, 500, 500, 404, 400,
    ]);
    expect(httpStatusOf(new Error("outer", { cause: missing }))).toBe(404);
    expect(httpStatusOf(new AggregateError([new EngineError("engine.failed"), invalid, missing]))).toBe(404);
  });

  test("are followed through wrappers and aggregate errors, and cycles end [engine-errors-2]", () => {
    const inner = new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 });
    const joined = new AggregateError([new Error("other"), new Error("wrapper", { cause: inner })]);
    expect(findEngineError(joined)).toBe(inner);
    expect(hasErrorClass(joined, "budget_exceeded")).toBe(true);
    expect(hasErrorClass(joined, "timeout")).toBe(false);
    const circle = new Error("circle");
    circle.cause = circle;
    expect(findEngineError(circle)).toBeUndefined();
  });

  test("anything thrown becomes an EngineError with the original as its cause", () => {
    const plain = new TypeError("x is not a function");
    expect(toEngineError(plain)).toMatchObject({ code: "internal.unexpected", cause: plain });
    expect(toEngineError("a text").message).toContain("a text");
  });

  test("an unknown code is rejected by name", () => {
    const code: "internal.unexpected" = JSON.parse('"acme.broken"');
    expect(() => new EngineError(code)).toThrow("acme.broken is not a code of the error table.");
  });

  test("an empty list is printed as none", () => {
    expect(new EngineError("engine.not_found", { engine: "a", known: [] }).message).toContain("Known engines: none.");
  });
});
