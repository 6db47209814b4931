import { createProfile, PROFILE_FAMILIES, toolDefinitions } from "@switchyard/agent";
import { AGENT_TOOLS, toolSubjectOf } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { parseRule } from "./parse-rule.ts";

describe("a rule on the command line", () => {
  test.each([
    ["shell", { tool: "shell" }],
    ["docs__*", { tool: "docs__*" }],
    ["*", { tool: "*" }],
    ["shell(git *)", { tool: "shell", command: "git *" }],
    ["Bash(npm run test)", { tool: "Bash", command: "npm run test" }],
    ["shell(echo (a))", { tool: "shell", command: "echo (a)" }],
    ["write_file(src/**)", { tool: "write_file", path: "src/**" }],
    ["web_fetch(*.example.org)", { tool: "web_fetch", url: "*.example.org" }],
    ["path:**/.env", { path: "**/.env" }],
    ["command: rm -rf", { command: "rm -rf" }],
    ["url:https://example.org/docs/*", { url: "https://example.org/docs/*" }],
  ])("%s names a tool and what it touches", (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
  });

  test.each([
    ["shel(git *)", "Unknown tool shel. Did you mean shell?"],
    ["", "Write a tool"],
    ["shell(git", "Write a tool"],
    ["git push", "Write a tool"],
    ["shell()", "The pattern in parentheses is empty. To match all calls, write shell alone."],
    ["path:", "The pattern after path: is empty."],
    ["spawn_agent(x)", "have no target to match"],
    ["docs__open(x)", "have no target to match"],
    ["*(x)", "have no target to match"],
  ])("%j is refused with what to write instead", (text, problem) => {
    expect(() => parseRule(text)).toThrow(problem);
  });
});

const NAMINGS = ["specification", "native"] as const;
const webFetcher = { fetch: () => Promise.reject(new Error("nothing is fetched here")) };
const profiles = PROFILE_FAMILIES.flatMap((family) =>
  NAMINGS.map((toolNames) => createProfile(family, { model: "m", toolNames, webFetcher })),
);

test("all tools of all profiles are known by all their names, with their effects", () => {
  for (const profile of profiles) {
    for (const { name } of toolDefinitions(profile)) expect(AGENT_TOOLS).toContain(name);
    for (const { definition, targets, canonicalName = definition.name } of profile.toolRegistry.tools()) {
      const subject = toolSubjectOf(definition.name);
      expect([definition.name, subject]).toEqual([definition.name, toolSubjectOf(canonicalName)]);
      if (targets === undefined) expect([definition.name, subject]).toEqual([definition.name, undefined]);
    }
  }
});
