import { EngineError, textOf } from "@switchyard/contracts";
import { inertEnvironment, scriptedClient, text, toolCall } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, dataOf } from "../../test/run-session.ts";
import { type CustomCommand, createAnthropicProfile, Session, type SessionOptions, type Skill } from "../index.ts";

const RELEASE: Skill = {
  name: "release",
  description: "Makes a release.\nUse it when a version is to be published.",
  instructions: "1. Tag. 2. Push.",
  source: ".agents/skills/release/SKILL.md",
};

function sessionOf(steps: Parameters<typeof scriptedClient>[0], options: Partial<SessionOptions>) {
  const client = scriptedClient(steps);
  const profile = createAnthropicProfile({ model: "claude" });
  return { session: new Session({ profile, environment: inertEnvironment(), client, ...options }), client };
}

async function promptOf(options: Partial<SessionOptions>): Promise<string> {
  const { session, client } = sessionOf([text("done")], options);
  await collect(session.submit("go"));
  return textOf(client.requests[0]?.messages[0] ?? { parts: [] });
}

describe("skills", () => {
  test("are a layer of the system prompt between the project's instructions and the user's [loop-8-2]", async () => {
    const environment = { ...inertEnvironment(), readBytes: async () => new TextEncoder().encode("Use tabs.") };
    const prompt = await promptOf({ skills: [RELEASE], instructions: "Be brief.", environment });
    const order = ["Use tabs.", "# Skills", "- release: Makes a release. Use it when a version", "Be brief."];
    const places = order.map((part) => prompt.indexOf(part));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(prompt).not.toContain("1. Tag.");
  });

  test("are missing in a session without skills, or if their tool is not allowed", async () => {
    expect(await promptOf({})).not.toContain("# Skills");
    expect(await promptOf({ skills: [RELEASE], allowedTools: ["read_file"] })).not.toContain("# Skills");
    expect(sessionOf([], {}).session.toolRegistry.get("skill")).toBeUndefined();
  });

  test("are listed up to the budget, and the others are counted", async () => {
    const skills = Array.from({ length: 100 }, (_, index) => {
      return { name: `s${index}`, description: "d".repeat(5_000), instructions: "i" };
    });
    const prompt = await promptOf({ skills });
    const listed = prompt.split("\n").filter((line) => /^- s\d+: d+$/.test(line)).length;
    expect(listed).toBeGreaterThan(10);
    expect(prompt).toContain(`[${100 - listed} more skills are not listed here]`);
    expect(prompt.length).toBeLessThan(40_000);
  });

  test("are read by the model when it asks for them [loop-8-2]", async () => {
    const late: Skill = { name: "late", description: "d", instructions: async () => "read when asked for" };
    const { session, client } = sessionOf(
      [toolCall("skill", { name: "release" }), toolCall("skill", { name: "late" }), text("done")],
      { skills: [RELEASE, late] },
    );
    expect(session.toolRegistry.get("skill")?.effects).toBe("readonly");
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")).toMatchObject([
      { content: expect.stringMatching(/SKILL\.md; paths .*\n\n1\. Tag\. 2\. Push\.$/), details: { skill: "release" } },
      { content: "read when asked for", is_error: false },
    ]);
    expect(JSON.stringify(client.requests[1]?.messages.at(-1))).toContain("1. Tag. 2. Push.");
  });

  test("that are unknown or cannot be read are an error for the model", async () => {
    const broken: Skill = { name: "broken", description: "d", instructions: () => Promise.reject(new Error("gone")) };
    const { session } = sessionOf(
      [toolCall("skill", { name: "x" }), toolCall("skill", { name: "broken" }), toolCall("skill", {}), text("done")],
      { skills: [RELEASE, broken] },
    );
    const ends = dataOf(await collect(session.submit("go")), "tool_call_end");
    expect(ends.map((end) => end.is_error)).toEqual([true, true, true]);
    expect(ends[0]?.content).toBe('There is no skill "x". Skills: release, broken.');
    expect(ends[1]?.content).toContain("gone");
  });

  test("with an invalid name are rejected", () => {
    for (const name of ["", "a b", "../x", "x".repeat(65)]) {
      expect(() => sessionOf([], { skills: [{ ...RELEASE, name }] })).toThrow(EngineError);
    }
  });
});

/** Returns the message that the model receives for an input. */
async function resultTextsOf(input: string, ...commands: readonly CustomCommand[]): Promise<string> {
  const { session, client } = sessionOf([text("done")], { commands });
  const events = await collect(session.submit(input));
  const told = textOf(client.requests[0]?.messages.at(-1) ?? { parts: [] });
  expect(dataOf(events, "user_input")).toEqual([{ content: told }]);
  return told;
}

describe("a custom command", () => {
  const review: CustomCommand = { name: "review", template: "Review $1 for $2. All: $ARGUMENTS" };

  test("is its template with the arguments in it [loop-8-2]", async () => {
    expect(await resultTextsOf('/review src/a.ts "bad names"', review)).toBe(
      'Review src/a.ts for bad names. All: src/a.ts "bad names"',
    );
    expect(await resultTextsOf("/review", review)).toBe("Review  for . All: ");
    expect(await resultTextsOf("/review one\ntwo", review)).toBe("Review one for two. All: one\ntwo");
  });

  test("treats a quote inside a word as an apostrophe", async () => {
    const pair = { name: "pair", template: "<$1> <$2> <$3>" };
    expect(await resultTextsOf("/pair it's fine", pair)).toBe("<it's> <fine> <>");
    expect(await resultTextsOf("/pair 'tis it's 'so be it'", pair)).toBe("<'tis> <it's> <so be it>");
    expect(await resultTextsOf(`/pair "it's fine" 5" a'b'c`, pair)).toBe(`<it's fine> <5"> <a'b'c>`);
    expect(await resultTextsOf("/pair '' \"open quote", pair)).toBe('<> <"open> <quote>');
  });

  test("appends its arguments if the template has no placeholder", async () => {
    const fix = { name: "fix", template: "Fix the build." };
    expect(await resultTextsOf("/fix", fix)).toBe("Fix the build.");
    expect(await resultTextsOf("/fix today", fix)).toBe("Fix the build.\n\nArguments: today");
  });

  test("never interprets an argument as a placeholder or a pattern", async () => {
    expect(await resultTextsOf("/review $2 $&", review)).toBe("Review $2 for $&. All: $2 $&");
    const price = { name: "price", template: "$10 and $ARGUMENTSX stay, $1 does not" };
    expect(await resultTextsOf("/price x", price)).toBe("$10 and $ARGUMENTSX stay, x does not");
  });

  test("is not expanded if no command has the name: the input is passed on unchanged [loop-8-2]", async () => {
    for (const input of ["/unknown x", "/usr/bin/env fails", "please /review", "/", "// review", "/reviewer a"]) {
      expect(await resultTextsOf(input, review)).toBe(input);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (input) => {
        fc.pre(input.trim() !== "" && !/^\s*\/review(\s|$)/.test(input));
        expect(await resultTextsOf(input, review)).toBe(input);
      }),
      { numRuns: 60 },
    );
  });

  test("is reported to the host, and works in follow-ups as well", async () => {
    const { session, client } = sessionOf([text("one"), text("two")], {
      commands: [{ ...review, source: ".agents/commands/review.md" }],
    });
    session.followUp("/review b");
    const events = await collect(session.submit("a"));
    expect(dataOf(events, "notification")).toMatchObject([
      { kind: "command", details: { command: "review", source: ".agents/commands/review.md" } },
    ]);
    expect(textOf(client.requests[1]?.messages.at(-1) ?? { parts: [] })).toBe("Review b for . All: b");
  });

  test("with an invalid name is rejected", () => {
    for (const name of ["", "a b", "x/y"]) {
      expect(() => sessionOf([], { commands: [{ name, template: "t" }] })).toThrow(EngineError);
    }
  });
});

test("notices of the host are emitted directly after the start of the session", async () => {
  const notices = [{ kind: "skill_ignored", message: "a.md is none." }];
  const { session } = sessionOf([text("done"), text("more")], { notices });
  const events = await collect(session.submit("go"));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["session_start", "warning"]);
  expect(dataOf(events, "warning")).toEqual(notices);
  expect(dataOf(await collect(session.submit("on")), "warning")).toEqual([]);
});
