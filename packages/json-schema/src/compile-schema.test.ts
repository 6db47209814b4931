import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileSchema } from "./index.ts";

describe("a schema", () => {
  const schema = {
    $id: "https://example.org/colour",
    type: "object",
    properties: { colour: { enum: ["blue", "green"] }, size: { type: "integer", minimum: 1 } },
    required: ["colour"],
  };

  test("a value that does not fit gets a description of each problem and its position", () => {
    const check = compileSchema(schema);
    expect(check({ colour: "blue", size: 2 })).toBeUndefined();
    expect(check({})).toBe("the value must have required property 'colour'");
    expect(check({ colour: "red", size: 0 })).toBe(
      'colour must be equal to one of the allowed values: ["blue","green"]',
    );
    expect(compileSchema(schema, { subject: "the answer" })(7)).toBe("the answer must be object");
  });

  test("a schema may have the id of another schema, and is read as an older draft if `$schema` says so", () => {
    expect(compileSchema(schema)({ colour: "blue" })).toBeUndefined();
    expect(compileSchema({ ...schema, required: ["size"] })({ colour: "blue" })).toContain("size");
    const pair = { items: [{ type: "string" }], additionalItems: false };
    const older = compileSchema({ $schema: "http://json-schema.org/draft-07/schema#", ...pair });
    expect([older(["a"]), older([1]), older(["a", "b"])]).toEqual([undefined, expect.any(String), expect.any(String)]);
    const newer = compileSchema({ prefixItems: [{ type: "string" }], items: false });
    expect([newer(["a"]), newer([1]), newer(["a", "b"])]).toEqual([undefined, expect.any(String), expect.any(String)]);
  });

  test("a schema without `$schema` may use tuples of older drafts and OpenAPI's `nullable`", () => {
    const pair = { type: "array", items: [{ type: "string" }, { enum: [1], nullable: true }], additionalItems: false };
    const check = compileSchema({ type: "object", properties: { pair, nullable: { type: "boolean" } } });
    expect([check({ pair: ["a", 1] }), check({ nullable: true })]).toEqual([undefined, undefined]);
    for (const wrong of [{ pair: [1] }, { pair: ["a", 2] }, { pair: ["a", 1, 1] }, { nullable: 1 }]) {
      expect(check(wrong), JSON.stringify(wrong)).toEqual(expect.any(String));
    }
    const known = {
      const: { items: [1], nullable: true },
      $defs: { a: { anyOf: [{ type: "null" }], nullable: false } },
    };
    expect(compileSchema({ ...known, nullable: true })({ items: [1], nullable: true })).toBeUndefined();
    // A schema that declares a draft is not converted to another one. Other errors in a schema without a declaration
    // remain errors.
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    expect(() => compileSchema({ $schema, items: [{ type: "string" }] })).toThrow("items");
    expect(() => compileSchema({ items: [{ type: "text" }] })).toThrow("type");
  });

  test("a schema of draft-04 may have an `id`", () => {
    const old = { $schema: "http://json-schema.org/draft-04/schema#", id: "https://example.org/old", type: "object" };
    expect([compileSchema(old)({}), compileSchema(old)(7)]).toEqual([undefined, "the value must be object"]);
    expect(compileSchema({ id: "old", type: "object" })(7)).toBe("the value must be object");
  });

  test("a schema of draft-04 may have a boolean `exclusiveMaximum`", () => {
    const $schema = "http://json-schema.org/draft-04/schema#";
    const price = { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false };
    const check = compileSchema({ $schema, properties: { price } });
    expect([check({ price: 0.1 }), check({ price: 9 })]).toEqual([undefined, undefined]);
    expect(check({ price: 0 })).toBe("price must be > 0");
    expect(check({ price: 9.5 })).toBe("price must be <= 9");
    expect(compileSchema({ $schema, exclusiveMaximum: 3 })(3)).toBe("the value must be < 3");
    expect(compileSchema({ $schema: "http://json-schema.org/draft-06/schema#", exclusiveMaximum: 3 })(3)).toBe(
      "the value must be < 3",
    );
  });

  test("a schema may require multiples of a fraction", () => {
    const check = compileSchema({ multipleOf: 0.01 });
    expect([19.99, 0.07, 1234567.89, -4.35, 0].map(check)).toEqual(Array(5).fill(undefined));
    expect(check(0.005)).toBe("the value must be multiple of 0.01");
    const gibibytes = compileSchema({ multipleOf: 1_073_741_824 });
    expect([gibibytes(2_147_483_648), gibibytes(1)]).toEqual([undefined, expect.stringContaining("multiple")]);
    expect(compileSchema({ multipleOf: 1 })(1e22)).toBeUndefined();
    expect(compileSchema({ multipleOf: 0 })(3)).toContain("multiple");
  });

  test.each([
    { type: "nothing" },
    { multipleOf: "0.01" },
    { exclusiveMinimum: true },
    { pattern: "(a)\\1" },
    { pattern: "(?=a)b" },
    { $ref: "https://example.org/other" },
    { minimum: "x" },
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  ])("a schema that cannot be used is refused when it is compiled: %j", (unusable) => {
    expect(() => compileSchema(unusable)).toThrow();
  });
});

describe("untrusted schemas and values", () => {
  test("a number of a schema that is too large is refused [loop-2.5-23]", () => {
    const check = compileSchema({ type: "object", properties: { n: { type: "number" }, i: { type: "integer" } } });
    expect(check({ n: 1.5, i: 2 })).toBeUndefined();
    expect(check({ n: Number.POSITIVE_INFINITY })).toContain("must be number");
    expect(check({ i: Number.POSITIVE_INFINITY })).toContain("must be integer");
    expect(check({ n: Number.NaN })).toContain("must be number");
  });

  test("no schema creates an asynchronous check, which would accept every value", () => {
    expect(compileSchema({ $async: true, type: "object" })(7)).toBe("the value must be object");
    const hidden = { $ref: "#/$defs/a", $defs: { a: { $async: true, type: "object" } } };
    expect(() => compileSchema(hidden)).toThrow("async");
  });

  test("names of built-in properties, such as `constructor`, count only if the value itself contains them", () => {
    const check = compileSchema({ required: ["constructor"], properties: { toString: { type: "integer" } } });
    expect(check({})).toContain("'constructor'");
    expect(check({ constructor: "x" })).toBeUndefined();
  });

  test("a pattern takes time linear in the text", () => {
    const check = compileSchema({ type: "string", pattern: "^(a+)+$" });
    expect(check(`${"a".repeat(100_000)}b`)).toContain("must match pattern");
    expect(check("a".repeat(100_000))).toBeUndefined();
  });

  test("a check ends if references double at each level, and its description is short", () => {
    const refs = (next: string) => [{ $ref: next }, { $ref: next }];
    const chain = (keyword: "allOf" | "anyOf", last: object) => {
      const levels = Array.from({ length: 40 }, (_, i) => [`a${i}`, { [keyword]: refs(`#/$defs/a${i + 1}`) }]);
      return { $ref: "#/$defs/a0", $defs: { ...Object.fromEntries(levels), a40: last } };
    };
    const child = { properties: { child: { $ref: "#" } } };
    const deep: unknown = JSON.parse(`${'{"child":'.repeat(60)}{}${"}".repeat(60)}`);
    expect(compileSchema(chain("anyOf", { required: ["a"] }))({})).toContain("too many steps");
    expect(compileSchema(chain("allOf", { type: "object" }))({})).toContain("too many steps");
    expect(compileSchema({ allOf: [child, child] })(deep)).toContain("too many steps");
    expect(compileSchema(child)(deep)).toBeUndefined();
    const many = { anyOf: Array.from({ length: 500 }, (_, i) => ({ enum: ["x".repeat(i)] })) };
    expect(compileSchema(many)(7)?.length).toBeLessThan(2_100);
  });

  test("a large value may be checked in as many steps as it has parts", () => {
    const entry = { anyOf: Array.from({ length: 40 }, (_, i) => ({ properties: { kind: { const: i } } })) };
    const check = compileSchema({ type: "array", items: { $ref: "#/$defs/entry" }, $defs: { entry } });
    const entries = Array.from({ length: 20_000 }, () => ({ kind: 39, a: [1, 2, 3], b: "text" }));
    expect(check(entries)).toBeUndefined();
    expect(check([...entries, { kind: 40 }])).toContain("20000");
  });

  test("a definition that is referenced often is compiled once", () => {
    const large = { anyOf: Array.from({ length: 1_000 }, (_, i) => ({ const: i })) };
    const names = Array.from({ length: 300 }, (_, i) => [`p${i}`, { $ref: "#/$defs/large" }]);
    const check = compileSchema({ properties: Object.fromEntries(names), $defs: { large } });
    expect([check({ p7: 999 }), check({ p7: 1_000 })]).toEqual([undefined, expect.stringContaining("p7")]);
  });

  test.each([
    [
      "the order of keys",
      [
        { a: 1, b: [{ c: 1, d: 2 }] },
        { b: [{ d: 2, c: 1 }], a: 1 },
      ],
      false,
    ],
    ["numbers", [1, JSON.parse("1.0")], false],
    ["zeros", [0, -0], false],
    ["kinds", [1, "1", [1], ["1"], { 1: 1 }, true, "true", null, "null", [], {}, "", [null], [[]]], true],
    ["the order of entries", [[1, 2], [2, 1], ["1,2"], ["1", "2"]], true],
    ["names of every object", ["__proto__", "constructor", { constructor: 1 }], true],
  ])("list entries are compared as JSON Schema requires: %s", (_, value, isUnique) => {
    for (const schema of [{}, { items: { type: ["string", "number", "array", "object", "boolean", "null"] } }]) {
      const problem = compileSchema({ uniqueItems: true, ...schema })(value);
      if (isUnique) expect(problem).toBeUndefined();
      else expect(problem).toBe("the value must NOT have duplicate items (items ## 0 and 1 are identical)");
    }
    expect(compileSchema({ uniqueItems: false })(value)).toBeUndefined();
  });

  test("many entries of a list are compared in time linear in their number", () => {
    const check = compileSchema({ type: "array", uniqueItems: true, items: { type: "object" } });
    const entries = Array.from({ length: 50_000 }, (_, i) => ({ i }));
    expect(check(entries)).toBeUndefined();
    expect(check([...entries, { i: 4 }])).toContain("items ## 4 and 50000 are identical");
  });

  test("an endlessly recursive schema reports a problem for every value and does not throw", () => {
    for (const schema of [{ $ref: "#" }, { allOf: [{ anyOf: [{ $ref: "#" }] }] }]) {
      expect(compileSchema(schema, { subject: "the arguments" })({})).toContain("the arguments cannot be checked");
    }
  });

  test("checking changes nothing and ends, whatever the value", () => {
    const check = compileSchema({ type: "object", properties: { a: { type: "string", default: "x" } } });
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        const problem = check(value);
        expect(problem === undefined || problem.length > 0).toBe(true);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });
});

describe("a schema with keywords that cannot be checked", () => {
  /** Compiled check, and the keywords that it ignores. */
  function lenient(schema: Readonly<Record<string, unknown>>) {
    const ignored: string[] = [];
    return { check: compileSchema(schema, { onIgnored: (problem) => ignored.push(problem) }), ignored };
  }

  test("usable keywords are checked, and each ignored keyword is reported", () => {
    const to = { type: "string", pattern: "^(?!x)", minLength: 2 };
    const { check, ignored } = lenient({ type: "object", properties: { to }, required: ["to"] });
    expect(ignored).toEqual(['/properties/to/pattern: "^(?!x)" cannot be checked in linear time']);
    expect(check({ to: "x marks" })).toBeUndefined();
    expect(check({ to: "y" })).toContain("to must NOT have fewer than 2 characters");
    expect(check({})).toContain("required property 'to'");
  });

  test.each([
    ["an unresolvable reference", { $ref: "#/$defs/gone" }, /gone.* leads nowhere/],
    ["a reference to another document", { $ref: "https://example.org/a.json" }, /leads nowhere/],
    ["an unknown type", { type: "any" }, /type: its value is invalid/],
    ["draft-03's required", { type: "string", required: true }, /required: its value is invalid/],
    ["properties that are a list", { properties: [] }, /properties: it is not a map of schemas/],
    ["an empty union", { anyOf: [] }, /anyOf: it is not a list of schemas/],
    ["a schema that is a text", { items: "string" }, /items: it is not a schema/],
    ["a negative length", { minLength: -1 }, /minLength: its value is invalid/],
    ["an empty list of values", { enum: [] }, /enum: its value is invalid/],
    ["a step of zero", { multipleOf: 0 }, /multipleOf: its value is invalid/],
    ["a pattern that is none", { pattern: "(" }, /cannot be checked/],
    [
      "a property pattern with look-around",
      { patternProperties: { "(?=a)": {} }, additionalProperties: false },
      /\(\?=a\)/,
    ],
  ])("such as %s refuses nothing for it", (_, part, problem) => {
    const { check, ignored } = lenient({ type: "object", properties: { part, size: { type: "integer" } } });
    expect(ignored).toEqual([expect.stringMatching(problem)]);
    expect(check({ part: "a text", size: 1 })).toBeUndefined();
    expect(check({ part: { a: 1 }, size: 1 })).toSatisfy(
      (found) => found === undefined || String(found).startsWith("part"),
    );
    expect(check({ size: "large" })).toBe("size must be integer");
  });

  test("does not include a reference whose pointer is escaped", () => {
    const $defs = { "a/b~%": { type: "string" } };
    const { check, ignored } = lenient({ $defs, properties: { part: { $ref: "#/$defs/a~1b~0%25" } } });
    expect(ignored).toEqual([]);
    expect(check({ part: 1 })).toBe("part must be string");
  });

  test("in a negation, a condition or an exclusive union does not turn into a refusal", () => {
    const loose = { type: "string", pattern: "(?=a)" };
    expect(lenient({ not: loose }).check("b")).toBeUndefined();
    expect(lenient(JSON.parse(`{"if":${JSON.stringify(loose)},"then":false}`)).check("b")).toBeUndefined();
    expect(lenient({ oneOf: [loose, { const: "b" }] }).check("b")).toBeUndefined();
    expect(lenient({ oneOf: [loose, { type: "null" }] }).check(7)).toBeDefined();
    expect(lenient({ contains: loose, maxContains: 1 }).check(["b", "c"])).toBeUndefined();
    const byName = { $defs: { loose }, oneOf: [{ $ref: "#/$defs/loose" }, { const: "b" }] };
    expect(lenient(byName).check("b")).toBeUndefined();
    expect(lenient({ $defs: { loose }, not: { $ref: "#/$defs/loose" } }).check("b")).toBeUndefined();
  });

  test("of an older draft under a newer one's name is understood", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const ttl = { type: "integer", exclusiveMinimum: true, minimum: 0 };
    const { check, ignored } = lenient({ $schema, properties: { ttl, pair: { items: [{ type: "string" }] } } });
    expect(ignored).toEqual([]);
    expect([check({ ttl: 1 }), check({ ttl: 0 })]).toEqual([undefined, "ttl must be > 0"]);
  });

  test("whatever it is, never fails to compile", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...KEYWORDS), fc.jsonValue({ maxDepth: 4 })), (schema) => {
        const ignored: string[] = [];
        const check = compileSchema(
          { type: "object", properties: { a: schema } },
          { onIgnored: (one) => ignored.push(one) },
        );
        const problem = check({ a: 1 });
        expect(problem === undefined || problem.length > 0).toBe(true);
      }),
    );
  });
});

const KEYWORDS = [
  ...["type", "enum", "const", "pattern", "properties", "patternProperties", "required", "items", "prefixItems"],
  ...["additionalProperties", "anyOf", "oneOf", "allOf", "not", "if", "then", "$ref", "$defs", "$id", "$anchor"],
  ...["minimum", "exclusiveMinimum", "multipleOf", "minLength", "format", "uniqueItems", "contains", "dependencies"],
  ...["$dynamicRef", "$schema", "$async", "nullable", "discriminator", "dependentRequired", "propertyNames"],
];

describe("a schema that was compiled before", () => {
  const schemaOf = (size: number) => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: "string", minLength: size }]),
    ),
  });

  test("is not compiled again for an equal one: 200 of them take less than 10 new ones", () => {
    compileSchema(schemaOf(1));
    const cpuOf = (work: () => void): number => {
      const begin = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(begin);
      return user + system;
    };
    const fresh = cpuOf(() => {
      for (let size = 2; size < 12; size++) compileSchema(schemaOf(size));
    });
    const again = cpuOf(() => {
      for (let count = 0; count < 200; count++) compileSchema(schemaOf(1));
    });
    expect(again).toBeLessThan(fresh);
  });

  test("stays as it was when its owner changes the one it was compiled from", () => {
    const schema = { enum: ["a", "b"] };
    const check = compileSchema(schema);
    schema.enum[0] = "c";
    expect([check("a"), check("c")]).toEqual([undefined, expect.any(String)]);
    expect(compileSchema(schema)("c")).toBeUndefined();
    expect(compileSchema({ enum: ["a", "b"] })("c")).toEqual(expect.any(String));
  });

  test("is forgotten when many others came after it, and compiled again", () => {
    for (let count = 0; count < 600; count++) compileSchema({ const: count });
    expect(compileSchema({ const: 0 })(0)).toBeUndefined();
  });
});
