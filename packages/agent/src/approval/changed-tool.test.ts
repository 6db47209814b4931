import type { UserPrompt, UserReply } from "@switchyard/contracts";
import { inertEnvironment } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { reply, requestFor } from "../../test/decide-call.ts";
import { type ApprovalPolicyOptions, type ApprovalRequest, createApprovalPolicy } from "../index.ts";

describe("a tool whose server has changed it", () => {
  const first = { digest: "first", hasChanged: false };
  const changed = { digest: "second", hasChanged: true };

  async function callsOf(options: ApprovalPolicyOptions) {
    const questions: string[] = [];
    const ask = async ({ parts }: UserPrompt): Promise<UserReply> => {
      questions.push(JSON.stringify(parts));
      return reply("allow_session");
    };
    const approve = createApprovalPolicy({ ...options, ask });
    const { signal } = new AbortController();
    const call = async (revision: ApprovalRequest["revision"]): Promise<string> => {
      const request = { ...requestFor("box__grown", {}), revision };
      const context = { environment: inertEnvironment(), signal, turn: () => Promise.resolve() };
      return (await approve(request, context)).decision;
    };
    return { questions, call };
  }

  test("requires approval again although a rule allows it, and the question states why [loop-8-4]", async () => {
    const { questions, call } = await callsOf({ rules: [{ tool: "box__*", outcome: "allow" }] });
    expect([await call(first), questions.length]).toEqual(["allow", 0]);
    expect([await call(changed), questions.length]).toEqual(["allow", 1]);
    expect(questions[0]).toContain("has changed the tool's description or parameters");
    // The user allowed this version, so it runs without another question.
    expect([await call(changed), questions.length]).toEqual(["allow", 1]);
    expect([await call({ digest: "third", hasChanged: true }), questions.length]).toEqual(["allow", 2]);
  });

  test("is asked about again although the user has allowed it for the session [loop-8-4]", async () => {
    const { questions, call } = await callsOf({ rules: [] });
    for (const revision of [first, first, changed, changed, first]) await call(revision);
    expect(questions.length).toBe(2);
    expect(questions[1]).toContain("has changed the tool's description or parameters");
  });

  test("is denied if no user can be asked, and stays denied or allowed if a rule for all tools decides [loop-8-4]", async () => {
    const decideOn = async (policy: ApprovalPolicyOptions): Promise<string> => {
      const { signal } = new AbortController();
      const context = { environment: inertEnvironment(), signal, turn: () => Promise.resolve() };
      return (await createApprovalPolicy(policy)({ ...requestFor("box__grown", {}), revision: changed }, context))
        .decision;
    };
    expect(await decideOn({ rules: [{ tool: "box__*", outcome: "allow" }] })).toBe("deny");
    expect(await decideOn({ rules: [{ tool: "box__*", outcome: "deny" }], otherwise: "allow" })).toBe("deny");
    expect(await decideOn({ rules: [], otherwise: "allow" })).toBe("allow");
  });
});
