import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanSchema } from "./clean-schema.ts";

test("only descriptions and titles are changed; a property may be called like them", () => {
  const schema = {
    type: ["object"],
    title: "t\u0007",
    properties: { description: { type: "string", description: "d\u001b[1m", pattern: "\u0007" } },
    const: { list: [1, null, "\u0007"] },
  };
  expect(cleanSchema(schema)).toEqual({
    kind: "schema",
    schema: {
      type: "object",
      title: "t",
      properties: { description: { type: "string", description: "d", pattern: "\u0007" } },
      const: { list: [1, null, "\u0007"] },
    },
  });
});

test("names of types may be in capitals, but data and properties that are called type stay as they are", () => {
  const schema = {
    type: "OBJECT",
    properties: { type: { type: ["STRING", "null"], enum: ["STRING"] }, kind: { const: { type: "STRING" } } },
  };
  expect(cleanSchema(schema)).toEqual({
    kind: "schema",
    schema: {
      type: "object",
      properties: { type: { type: ["string", "null"], enum: ["STRING"] }, kind: { const: { type: "STRING" } } },
    },
  });
});

test("a key that is called __proto__ is a key", () => {
  const cleaned = cleanSchema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'));
  expect(JSON.stringify(cleaned)).toContain('"__proto__":{"type":"string"}');
  expect(Object.prototype).not.toHaveProperty("type");
});

test("any JSON is a schema with an object as its root, or refused", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const cleaned = cleanSchema(value);
      if (cleaned.kind === "schema") expect(cleaned.schema["type"]).toBe("object");
      else expect(cleaned.problem).not.toBe("");
    }),
  );
});
