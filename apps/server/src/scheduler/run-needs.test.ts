import fc from "fast-check";
import { expect, test } from "vitest";
import { findRepositoryRule } from "./run-needs.ts";

const part = fc.constantFrom("a", "b", "ab", "..", ".", "%2e%2e", "");
const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
const origin = fc.constantFrom(
  "https://one.example",
  "https://one.example:444",
  "https://one.example.evil.example",
  "https://ONE.example",
);
const anyUrl = fc.tuple(origin, path).map((parts) => parts.join(""));

test("a rule allows exactly the URLs at and below its own, on the same host, whatever the spelling", () => {
  fc.assert(
    fc.property(anyUrl, anyUrl, (rule, url) => {
      const isAllowed = findRepositoryRule([{ url: rule }], { url, owner: "o" }) !== undefined;
      const [allowed, wanted] = [new URL(rule), new URL(url)];
      const base = allowed.pathname.replace(/\/$/u, "");
      const isBelow = wanted.pathname === allowed.pathname || wanted.pathname.startsWith(`${base}/`);
      expect(isAllowed).toBe(allowed.origin === wanted.origin && isBelow);
    }),
  );
});

test("a run must name exactly the credential of the rule, and belong to one of its owners", () => {
  const rules = [{ url: "https://one.example/", credential: "robot", owners: ["alice"] }];
  const find = (credential: string | undefined, owner: string) =>
    findRepositoryRule(rules, { url: "https://one.example/app.git", credential, owner });
  expect(find("robot", "alice")).toBe(rules[0]);
  for (const [credential, owner] of [
    ["robot", "bob"],
    [undefined, "alice"],
    ["other", "alice"],
    ["", "alice"],
  ] as const) {
    expect(find(credential, owner)).toBeUndefined();
  }
});
