import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runWithServers } from "./mcp-run.ts";
import type { WireFormat } from "./mock-model.ts";

const FORMATS: readonly WireFormat[] = ["anthropic", "openai", "gemini"];
/** Schemas that MCP servers send but model APIs reject. */
const SCHEMAS = {
  lookahead: { type: "object", properties: { to: { type: "string", pattern: "^(?!x)" } } },
  union: { anyOf: [{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }, { type: "object" }] },
  bare: { type: "object" },
  untyped: { properties: { a: {} } },
  nothing: {},
  mixed: { type: "object", properties: { a: { enum: [1, "x", null] } } },
  dangling: { type: "object", properties: { a: { $ref: "#/$defs/gone" } } },
  recursive: {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: { node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/node" } } } } },
  },
  booleans: { type: "object", properties: { a: true, b: false }, additionalProperties: true },
  types: { type: ["object", "null"], properties: { a: { type: ["string", "integer", "null"] }, b: { const: 3 } } },
  map: { type: "object", additionalProperties: { type: "string" } },
  older: {
    $schema: "http://json-schema.org/draft-04/schema#",
    type: "object",
    properties: { a: { type: "integer", minimum: 0, exclusiveMinimum: true } },
  },
  php: { type: "object", properties: [] },
  odata: { type: "object", properties: { $filter: { type: "string", format: "uri" } }, required: ["$filter"] },
};

describe.each(FORMATS)("a server whose schemas %s refuses", (format) => {
  test("do not prevent a run from starting, and its tools can be called", async () => {
    const log = "calls.log";
    const tools = Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, inputSchema }));
    const calls = [
      { name: "demo__lookahead", arguments: { to: "x marks" } },
      { name: "demo__dangling", arguments: { a: 1 } },
      { name: "demo__mixed", arguments: { a: "y" } },
    ];
    const answers = [...calls, "Done."];
    const run = await runWithServers({ servers: { demo: { tools, log } }, answers, format });
    expect(run.exitCode).toBe(0);
    const first = JSON.stringify(run.bodies[0]);
    for (const name of Object.keys(SCHEMAS)) expect(first).toContain(`"demo__${name}"`);
    // Matches only keywords of schemas: in a description, their quotes are escaped.
    for (const refused of ['"$ref":', '"oneOf":', '"allOf":', '"pattern":"^(?!x)"', '"const":'])
      expect(first).not.toContain(refused);
    // Arguments that the original schema forbids cause an error for the model and are not sent to the server.
    expect(await readFile(join(run.cwd, log), "utf8")).toBe('{"to":"x marks"}\n{"a":1}\n');
    expect(JSON.stringify(run.bodies[3])).toContain("must be equal to one of the allowed values");
    const warning = "Arguments of the tool demo__lookahead of the MCP server demo are checked in part only.";
    expect(run.stdout + run.stderr).toContain(warning);
    expect(run.events.split(warning).length - 1).toBe(1);
  });

  test("and that has no object for arguments loses that tool alone, with a warning", async () => {
    const tools = [{ name: "list", inputSchema: { type: "array" } }, { name: "probe" }];
    const run = await runWithServers({
      ...{ servers: { demo: { tools } }, answers: [{ name: "demo__probe", arguments: {} }, "Done."], format },
    });
    expect(run.exitCode).toBe(0);
    expect(JSON.stringify(run.bodies[0])).not.toContain("demo__list");
    expect(JSON.stringify(run.bodies[1])).toContain("probe was called");
    expect(run.stdout + run.stderr).toMatch(/MCP server demo: The tool list was left out/);
    expect(run.events).toContain("The tool list was left out");
  });
});

test("a parameter whose name Anthropic refuses reaches the server under its own name", async () => {
  const log = "calls.log";
  const tools = [{ name: "odata", inputSchema: SCHEMAS.odata }];
  const answers = [{ name: "demo__odata", arguments: { _filter: "a eq 1" } }, "Done."];
  const run = await runWithServers({ servers: { demo: { tools, log } }, answers });
  expect(JSON.stringify(run.bodies[0])).toContain('"_filter"');
  expect(await readFile(join(run.cwd, log), "utf8")).toBe('{"$filter":"a eq 1"}\n');
});
