import fc from "fast-check";
import { expect, test } from "vitest";
import { OUTPUT_BOUNDS, toToolOutput } from "./to-tool-output.ts";

const BOUNDS = { ...OUTPUT_BOUNDS, maxChars: 100, maxImages: 2, maxImageChars: 8, maxStructuredChars: 50 };
const image = (data: unknown, mimeType: unknown = "image/png") => ({ type: "image", data, mimeType });

test("texts are truncated with a note about the missing part", () => {
  const { content } = toToolOutput(
    {
      content: [
        { type: "text", text: "x".repeat(90) },
        { type: "text", text: "y".repeat(90) },
      ],
    },
    BOUNDS,
  );
  expect(content).toBe(`${"x".repeat(90)}\n${"y".repeat(10)}\n[80 more characters of the result were left out]`);
});

test("unsupported or too many images are replaced by notes", () => {
  const content = [
    image("AAAA"),
    image("AAA"),
    image("A".repeat(12)),
    image("AAAA", "image/svg+xml"),
    image("A?AA"),
    image(7),
  ];
  const output = toToolOutput({ content: [...content, image("AAAA"), image("AAAA")] }, { ...BOUNDS, maxChars: 1_000 });
  expect(output.images).toHaveLength(2);
  expect(output.content.split("\n")).toEqual([
    "[image (image/png) left out: it is not base64]",
    "[image (image/png) left out: it is too large]",
    "[image (image/svg+xml) left out: models do not take this type]",
    "[image (image/png) left out: it is not base64]",
    "[image (image/png) left out: it is not base64]",
    "[image (image/png) left out: there are too many]",
  ]);
});

test("structured content is returned for programs, and as text only if there is no other text", () => {
  expect(toToolOutput({ structuredContent: { a: 1 } })).toEqual({
    content: '{"a":1}',
    details: { structuredContent: { a: 1 } },
  });
  expect(toToolOutput({ content: [], structuredContent: "x".repeat(60) }, BOUNDS)).toEqual({ content: "" });
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(toToolOutput({ structuredContent: deep })).toEqual({ content: "" });
});

test("any answer of a server becomes an output that is bounded and without control characters", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const block = fc.record(
    {
      type: fc.oneof(fc.constantFrom("text", "image", "resource", "resource_link"), text),
      text,
      data: text,
      uri: text,
    },
    { requiredKeys: [] },
  );
  const content = fc.oneof(fc.array(fc.oneof(block, fc.anything())), fc.anything());
  fc.assert(
    fc.property(content, fc.anything(), (given, isError) => {
      const output = toToolOutput({ content: given, isError }, BOUNDS);
      expect(output.content.length).toBeLessThan(BOUNDS.maxChars * 2 + 100);
      expect(output.content).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
      expect(output.isError).toBe(isError === true ? true : undefined);
    }),
  );
});
