import { expect, expectTypeOf, test } from "vitest";
import { answer, failureOf, fakeClient } from "../../test/fake-client.ts";
import { generateObject, streamObject } from "./generate-object.ts";

const SCHEMA = {
  type: "object",
  properties: { name: { type: "string", pattern: "^[A-Z]" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
  additionalProperties: false,
};
const OPTIONS = { model: "m", prompt: "Name it.", schema: SCHEMA };
const GOOD = '{"name": "Ada", "tags": ["x", "y"]}';

test("the object fits the schema, which is sent to the model [client-generate-6]", async () => {
  const client = fakeClient(() => answer(GOOD));
  const result = await generateObject(client, { ...OPTIONS, schemaName: "person" });
  expectTypeOf(result.object).toEqualTypeOf<unknown>();
  expect(result.object).toEqual({ name: "Ada", tags: ["x", "y"] });
  expect(result.usage.totalTokens).toBe(15);
  expect(client.requests[0]?.responseFormat).toEqual({ type: "json_schema", name: "person", schema: SCHEMA });
  expect(client.requests[0]).not.toHaveProperty("schema");
});

test("the option `parse` determines the type of the object, and its error rejects the call", async () => {
  const parse = (value: unknown): { size: number } => ({ size: JSON.stringify(value).length });
  const result = await generateObject(
    fakeClient(() => answer(GOOD)),
    { ...OPTIONS, parse },
  );
  expectTypeOf(result.object).toEqualTypeOf<{ size: number }>();
  expect(result.object.size).toBeGreaterThan(10);
  const refusing = {
    ...OPTIONS,
    parse: (): string => {
      throw new Error("not in our list");
    },
  };
  const error = await failureOf(
    generateObject(
      fakeClient(() => answer(GOOD)),
      refusing,
    ),
  );
  expect(error).toMatchObject({ code: "llm.no_object", details: { problem: "not in our list", text: GOOD } });
});

test("a fence round it does no harm", async () => {
  const client = fakeClient(() => answer(`\n\`\`\`json\n${GOOD}\n\`\`\`\n`));
  expect((await generateObject(client, OPTIONS)).object).toEqual({ name: "Ada", tags: ["x", "y"] });
});

test.each([
  ["I cannot do that.", {}, "not valid JSON"],
  ["", {}, "no text (stop)"],
  ['{"name": "A', { finishReason: { unified: "length" as const } }, "cut off"],
  ['{"name": "ada"}', {}, "name must match pattern"],
  ["{}", {}, "required property 'name'"],
  ['{"name": "Ada", "x": 1}', {}, "additional properties"],
])(
  "%j is not accepted as the object, and the error contains the text [client-generate-6]",
  async (text, more, problem) => {
    const client = fakeClient(() => answer(text, more));
    const error = await failureOf(generateObject(client, OPTIONS));
    expect(error).toMatchObject({
      code: "llm.no_object",
      retryable: true,
      details: { text, usage: { totalTokens: 15 } },
    });
    expect(error).toHaveProperty("message", expect.stringContaining(problem));
    expect(await failureOf(streamObject(client, OPTIONS).result())).toMatchObject({ code: "llm.no_object" });
  },
);

test("an unusable schema is an error before any model call", async () => {
  const client = fakeClient(() => answer("{}"));
  const options = { ...OPTIONS, schema: { type: "nonsense" } };
  for (const failure of [generateObject(client, options), streamObject(client, options).result()]) {
    expect(await failureOf(failure)).toMatchObject({ code: "config.invalid", details: { field: "schema" } });
  }
  expect(client.requests).toEqual([]);
});

test("partial objects grow while the response arrives [client-generate-7]", async () => {
  const client = fakeClient(() => answer(GOOD));
  const stream = streamObject(client, OPTIONS);
  const known: unknown[] = [];
  for await (const partial of stream) known.push(partial);
  const name = "Ada";
  expect(known).toEqual([{}, { name: "Ad" }, { name }, { name, tags: ["x"] }, { name, tags: ["x", "y"] }]);
  expect((await stream.result()).object).toEqual(known.at(-1));
});

test("leaving it closes the stream below", async () => {
  const client = fakeClient(() => answer(GOOD));
  const stream = streamObject(client, OPTIONS);
  for await (const _ of stream) break;
  expect(client.ended).toBe(1);
  expect(await failureOf(stream.result())).toMatchObject({ code: "llm.aborted" });
});

test("looking at a large object again and again costs little", async () => {
  const large = JSON.stringify({ name: "A".repeat(200_000) });
  const stream = streamObject(
    fakeClient(() => answer(large)),
    OPTIONS,
  );
  let looks = 0;
  for await (const _ of stream) looks += 1;
  expect(looks).toBeLessThan(1000);
  expect(looks).toBeGreaterThan(100);
});
