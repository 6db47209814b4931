import { fileURLToPath } from "node:url";
import type { UserReply } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { type AcpRun, runAcp } from "../test/run-acp.ts";

const AGENT = fileURLToPath(new URL("../test/sdk-agent.mjs", import.meta.url));

/** Runs the agent with a user who gives these answers, one after the other. */
function runWithUser(prompt: string, answers: readonly string[]): Promise<AcpRun> {
  const remaining = [...answers];
  const askUser = (): UserReply => ({ parts: [{ type: "text", text: remaining.shift() ?? "no answer is left" }] });
  const input = { messages: [{ role: "user" as const, content: prompt }] };
  return runAcp([AGENT], { input, host: recordingHost({ askUser }) });
}

function outcomesOf({ noted }: AcpRun): unknown[] {
  return noted.flatMap((entry) => ("outcome" in entry ? [entry.outcome] : []));
}

const selected = (optionId: string) => ({ outcome: "selected", optionId });

test("The user decides about permissions that the configuration does not grant, one call at a time", async () => {
  const run = await runWithUser("permission", ["allow_once", "deny"]);
  expect(run.error).toBeUndefined();
  expect(outcomesOf(run)).toEqual([selected("yes"), { outcome: "cancelled" }]);
  expect(run.host.prompts[0]).toMatchObject({
    schema: { enum: ["allow_once", "allow_session", "deny"] },
    metadata: { kind: "approval", tool: "execute", call_id: "t", command: "rm -rf build" },
  });
  const notices = run.host.ofType("notification").map(({ payload }) => payload.message);
  expect(notices).toContain("permitted by the user: rm -rf build");
  expect(notices).toContain("a permission was refused: rm -rf build");
});

test("A question about an edit contains its diff, and an edit allowed for the session is not asked about again", async () => {
  const once = await runWithUser("edits", ["allow_once", "deny"]);
  expect(outcomesOf(once)).toEqual([selected("yes"), selected("no")]);
  const session = await runWithUser("edits", ["allow_session"]);
  expect(outcomesOf(session)).toEqual([selected("yes"), selected("yes")]);
  expect(session.host.prompts).toHaveLength(1);
  const args: unknown = JSON.parse(session.host.prompts[0]?.metadata?.["arguments"] ?? "");
  expect(args).toMatchObject({
    ...{ file_path: expect.stringMatching(/\/a\.txt$/), old_string: "one", new_string: "two" },
  });
});

test.each(["Allow_once, but only in this folder", "yes", ""])(
  "The answer %j does not grant a permission [adapter-permissions-1]",
  async (answer) => {
    expect(outcomesOf(await runWithUser("edits", [answer, answer]))).toEqual([selected("no"), selected("no")]);
  },
);

test("A permission is denied if no user can be asked, and the turn continues [adapter-permissions-1]", async () => {
  const input = { messages: [{ role: "user" as const, content: "edits" }] };
  const run = await runAcp([AGENT], { input, host: recordingHost() });
  expect(run.error).toBeUndefined();
  expect(outcomesOf(run)).toEqual([selected("no"), selected("no")]);
});

test("An interrupt cancels a permission request that the user has not answered", async () => {
  const host = recordingHost({
    askUser: () => {
      host.interrupt({ cause: "user_cancel" });
      return new Promise(() => {});
    },
  });
  const input = { messages: [{ role: "user" as const, content: "edits" }] };
  const run = await runAcp([AGENT], { input, host });
  expect(run.error).toMatchObject({ code: "run.interrupted" });
  expect(outcomesOf(run).every((outcome) => JSON.stringify(outcome) === '{"outcome":"cancelled"}')).toBe(true);
});

test("With ask_before_write, the user sees each write as a diff, and a write of an allowed edit is not asked about again", async () => {
  const config = { ask_before_write: true };
  const files = { "a.txt": "one", "b.txt": "old" };
  const answers = ["allow_once", "allow_once", "deny"];
  const askUser = (): UserReply => ({ parts: [{ type: "text", text: answers.shift() ?? "deny" }] });
  const host = recordingHost({ askUser });
  const input = { messages: [{ role: "user" as const, content: "edits and writes" }] };
  const run = await runAcp([AGENT], { config, files, host, input });
  expect(run.error).toBeUndefined();
  // The edit of a.txt is allowed with its write; the write of b.txt is asked about; the second write of a.txt is denied.
  expect(host.prompts.map(({ metadata }) => metadata?.["tool"])).toEqual(["edit", "write_file", "write_file"]);
  const asked: unknown = JSON.parse(host.prompts[1]?.metadata?.["arguments"] ?? "");
  expect(asked).toMatchObject({ old_string: "old", new_string: "new" });
  expect(run.files).toEqual({ "a.txt": "two", "b.txt": "new" });
  expect(JSON.stringify(run.noted)).toContain("The user did not allow this write.");
});

test("In a read-only session, no permission is asked for", async () => {
  const host = recordingHost({ askUser: () => ({ parts: [{ type: "text", text: "allow_once" }] }) });
  const input = { messages: [{ role: "user" as const, content: "edits" }] };
  const run = await runAcp([AGENT], { config: { read_only: true }, host, input });
  expect(outcomesOf(run)).toEqual([selected("no"), selected("no")]);
  expect(host.prompts).toEqual([]);
});
