import { blockWithMode } from "@switchyard/adapter-kit";
import { describe, expect, test } from "vitest";
import { CREDITS, KEY, runKiro } from "../test/run-kiro.ts";
import { kiro } from "./index.ts";

describe("how a turn ends", () => {
  test("the text is the answer, without colours, and the credits trailer its success [adapter-kiro-1] [adapter-plain-output-1]", async () => {
    const stdout = "\u001B[32m> Reading.\u001B[0m\n\n> It is done.\n";
    const { results, events } = await runKiro(["Do it."], { turns: [{ stdout, stderr: CREDITS }] });
    expect(results[0]).toMatchObject({ exitReason: "turn_completed", finalMessage: "> Reading.\n> It is done." });
    expect(events[0]).toMatchObject({ type: "session_started", sessionId: results[0]?.sessionId });
    const notifications = events.flatMap(({ type, message }) =>
      type === "notification" && message !== "" ? [message] : [],
    );
    expect(notifications).toEqual(["> Reading.", "> It is done."]);
  });

  test("a failed login without a message is response_error [adapter-kiro-2] [adapter-outcome-13]", async () => {
    const { results } = await runKiro(["Do it."], { turns: [{ stderr: "Authentication failed.\n" }] });
    expect(results[0]).toMatchObject({ exitReason: "turn_failed", error: { code: "adapter.response_error" } });
    const spoke = await runKiro(["Do it."], { turns: [{ stdout: "Working.\n", stderr: "Authentication failed.\n" }] });
    expect(spoke.results[0]?.exitReason).toBe("turn_completed");
  });

  test("exit 0 without the trailer is a success only if there was output [adapter-kiro-3]", async () => {
    const run = await runKiro(["Do it."], { turns: [{ stdout: "Done.\n" }] });
    expect(run.results[0]).toMatchObject({ exitReason: "turn_completed", finalMessage: "Done." });
    const silent = await runKiro(["Do it."], { turns: [{}] });
    expect(silent.results[0]).toMatchObject({ exitReason: "turn_failed", error: { code: "adapter.turn_failed" } });
    const paid = await runKiro(["Do it."], { turns: [{ stderr: CREDITS }] });
    expect(paid.results[0]).toMatchObject({ exitReason: "turn_failed", error: { code: "adapter.turn_failed" } });
  });

  test("a nonzero exit is port_exit, whatever was printed [adapter-kiro-4]", async () => {
    const { results } = await runKiro(["Do it."], { turns: [{ stdout: "Done.\n", stderr: CREDITS, exitCode: 2 }] });
    expect(results[0]).toMatchObject({ exitReason: "turn_failed", error: { code: "adapter.port_exit" } });
  });

  test("no tokens are reported, and the time limit of the turn is its budget [adapter-kiro-7] [adapter-usage-1] [adapter-plain-output-2]", async () => {
    const { results, events } = await runKiro(["Do it."]);
    expect(results[0]).toMatchObject({ usageMeasured: false, usage: { totalTokens: 0 } });
    expect(events.some(({ type }) => type === "token_usage")).toBe(false);
    expect(kiro.capabilities.usage).toBe("none");
  });
});

describe("the command", () => {
  test("the prompt is one argument after a double dash, and only read-only tools are trusted [adapter-kiro-5] [adapter-arguments-2] [adapter-capabilities-3]", async () => {
    const { launches } = await runKiro(["--help"]);
    expect(launches).toEqual([
      ["chat", "--no-interactive", "--wrap", "never", "--trust-tools=read,grep,glob", "--", "--help"],
    ]);
  });

  test("settings become flags of the command [adapter-arguments-4] [adapter-testing-4]", async () => {
    const listed = await runKiro(["Go."], { config: { model: "m", agent: "a", trust_tools: ["read", "write"] } });
    expect(listed.launches[0]).toEqual([
      ...["chat", "--no-interactive", "--wrap", "never", "--model", "m", "--trust-tools=read,write", "--agent", "a"],
      ...["--", "Go."],
    ]);
    const all = await runKiro(["Go."], { config: { trust_all_tools: true } });
    expect(all.launches[0]).toContain("--trust-all-tools");
    expect(all.launches[0]?.join()).not.toContain("--trust-tools");
  });

  test("the conversation continues from the first successful turn [adapter-kiro-6] [adapter-resume-4] [adapter-resume-5]", async () => {
    const works = { stdout: "Done.\n", stderr: CREDITS };
    const { launches } = await runKiro(["One.", "Two.", "Three."], { turns: [{ exitCode: 1 }, works, works] });
    expect(launches.map((args) => args.includes("--resume"))).toEqual([false, false, true]);
  });

  test("a session of an earlier process is not there, and is not mixed up with another conversation [adapter-resume-6]", async () => {
    const { startError, launches } = await runKiro(["Go."], { resume: "an-earlier-session" });
    expect(startError).toMatchObject({ code: "adapter.session_not_found" });
    expect(launches).toEqual([]);
  });

  test.each([
    [{ trust_all_tools: true, trust_tools: ["read"] }, "trust_all_tools and trust_tools exclude each other"],
    [{ trust_tools: ["read,write"] }, "is not the name of a tool"],
    [{ modle: "x" }, "the setting is unknown"],
  ])("%j is refused when the adapter is made [adapter-kiro-5] [adapter-passthrough-config-2]", (block, problem) => {
    expect(() => kiro.create(block)).toThrow(problem);
  });
});

describe("the key is checked before any turn", () => {
  test("without one the session is refused with the name of the variable [adapter-kiro-1] [adapter-credentials-1] [adapter-credentials-2]", async () => {
    const { startError, launches } = await runKiro(["Go."], { key: "" });
    expect(startError).toMatchObject({ code: "adapter.credential_unverified" });
    expect(startError?.message).toContain("KIRO_API_KEY");
    expect(launches).toEqual([]);
  });

  test("a wrong one is refused, and is not in the message [adapter-credentials-2]", async () => {
    const { startError, launches } = await runKiro(["Go."], { key: "a-wrong-key-0123456789" });
    expect(startError).toMatchObject({ code: "adapter.response_error" });
    expect(startError?.message).not.toContain("a-wrong-key");
    expect(launches).toEqual([]);
  });

  test("a command that does not identify itself ends the check at its time limit [adapter-credentials-2]", async () => {
    const { startError } = await runKiro(["Go."], { whoami: "hangs" });
    expect(startError?.message).toContain("did not answer within 5000 ms");
  });

  test("the key is in no argument [adapter-credentials-3]", async () => {
    const { launches } = await runKiro(["Go."]);
    expect(JSON.stringify(launches)).not.toContain(KEY);
  });
});

test.each([
  ["plan", "--trust-tools=read,grep,glob"],
  ["ask", "--trust-tools=read,grep,glob"],
  ["auto", "--trust-all-tools"],
] as const)("the mode %s is %s [adapter-capabilities-3]", async (mode, flag) => {
  const { launches } = await runKiro(["Do it."], { config: blockWithMode(kiro, { trust_tools: ["write"] }, mode) });
  expect(launches[0]).toContain(flag);
  expect(launches[0]?.filter((word) => word.startsWith("--trust"))).toHaveLength(1);
});

test("model calls cannot be redirected, and the adapter says why", () => {
  expect(kiro.modelRoute?.({})).toEqual({ apis: [], directReason: expect.stringContaining("its own service") });
});
