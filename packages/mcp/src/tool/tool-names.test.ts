import fc from "fast-check";
import { expect, test } from "vitest";
import { serverLabels, toolNames } from "./tool-names.ts";

const USABLE = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

test("names that models know stay as they are; others are changed as little as possible [loop-8-1]", () => {
  expect([...serverLabels(["github", "my server", "__x__y__", "1password", "!"])]).toEqual([
    ["github", "github"],
    ["my server", "my_server"],
    ["__x__y__", "x_y"],
    ["1password", "mcp_1password"],
    ["!", "mcp"],
  ]);
  const names = toolNames("files", ["read", "read.all", "read_all", "a".repeat(70)]);
  expect([...names.values()].slice(0, 3)).toEqual([
    "files__read",
    expect.stringMatching(/^files__read_all_[0-9a-f]{8}$/),
    "files__read_all",
  ]);
  expect(names.get("a".repeat(70))).toMatch(/^files__a{48}_[0-9a-f]{8}$/);
});

test("of any servers and tools each name is usable, unique, and the same in any order", () => {
  const name = fc.oneof(fc.string({ maxLength: 90 }), fc.string({ unit: fc.constantFrom("a", "_", ".", "-", "é") }));
  const names = fc.uniqueArray(name, { maxLength: 12 });
  fc.assert(
    fc.property(names, names, (servers, tools) => {
      const labels = serverLabels(servers);
      const all = servers.flatMap((server) => [...toolNames(labels.get(server) ?? "", tools).values()]);
      expect(new Set(all).size).toBe(servers.length * tools.length);
      for (const one of all) expect(one).toMatch(USABLE);
      const reversed = serverLabels([...servers].reverse());
      for (const server of servers) {
        const label = reversed.get(server);
        expect(label).toBe(labels.get(server));
        const again = toolNames(label ?? "", [...tools].reverse());
        expect(again).toEqual(toolNames(labels.get(server) ?? "", tools));
      }
    }),
  );
});
