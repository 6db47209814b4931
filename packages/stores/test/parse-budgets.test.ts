import { expect, test } from "vitest";
import { parseBudgets } from "../src/budget/index.ts";

test("a budget file limits users, servers and owners, and owners without an entry have the default", () => {
  const budgets = parseBudgets(
    {
      user: { usd_per_day: 1.5, concurrent_runs: 2 },
      server: { tokens_per_day: 1000 },
      owners: { default: { usd_per_day: 1 }, alice: { usd_per_day: 2 } },
    },
    "budgets.yaml",
  );
  expect(budgets.user).toEqual([{ name: "user", limits: { costMicrosPerDay: 1_500_000, concurrentRuns: 2 } }]);
  const server = { name: "server", limits: { tokensPerDay: 1000 } };
  expect(budgets.ofOwner("alice")).toEqual([{ name: "owner:alice", limits: { costMicrosPerDay: 2_000_000 } }, server]);
  expect(budgets.ofOwner("bob")).toEqual([{ name: "owner:bob", limits: { costMicrosPerDay: 1_000_000 } }, server]);
  expect(parseBudgets({}, "budgets.yaml").ofOwner("bob")).toEqual([]);
});

test.each([
  [[], "it must be a mapping"],
  [{ users: {} }, "the field users is unknown; known fields: user, server, owners"],
  [{ server: { usd: 1 } }, "the field usd is unknown; known fields: usd_per_day, tokens_per_day, concurrent_runs"],
  [{ owners: { alice: { usd_per_day: -1 } } }, "it must be a number, 0 or more"],
  [{ owners: { alice: null } }, "it must be a mapping"],
])("an invalid budget file is refused: %j", (document, problem) => {
  expect(() => parseBudgets(document, "budgets.yaml")).toThrow(expect.objectContaining({ code: "config.invalid" }));
  expect(() => parseBudgets(document, "budgets.yaml")).toThrow(problem);
});

test("accounts are found by their names, and have no limits if the file sets no limits", () => {
  const file = { user: { tokens_per_day: 1 }, server: { tokens_per_day: 2 }, owners: { ada: { tokens_per_day: 3 } } };
  const found = parseBudgets(file, "budgets.yaml").named(["user", "owner:ada", "owner:bob", "server"]);
  expect(found.map(({ name, limits }) => [name, limits.tokensPerDay])).toEqual([
    ["user", 1],
    ["owner:ada", 3],
    ["owner:bob", undefined],
    ["server", 2],
  ]);
});
