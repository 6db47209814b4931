import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider, createOpenAiProvider, generateObject } from "../src/index.ts";
import { KEY } from "./families.ts";
import { answerJson, startServer } from "./loopback-server.ts";

type Schema = Readonly<Record<string, unknown>>;

const closed = (properties: Schema, required = Object.keys(properties)): Schema => {
  return { type: "object", properties, required, additionalProperties: false };
};
const word = { type: "string" };
const NODE = { $ref: "#/$defs/node" };
const UNSTRICT: readonly { readonly title: string; readonly schema: Schema; readonly sent?: Schema }[] = [
  {
    title: "that is open to further properties",
    schema: { type: "object", properties: { name: word }, required: ["name"] },
  },
  { title: "with a property that may be left out", schema: closed({ name: word, nick: word }, ["name"]) },
  { title: "with an open object inside", schema: closed({ pets: { type: "array", items: { type: "object" } } }) },
  {
    title: "with a keyword that strict schemas do not have",
    schema: closed({ name: { oneOf: [word, { type: "null" }] } }),
    sent: closed({ name: { anyOf: [word, { type: "null" }] } }),
  },
  {
    title: "that is recursive",
    schema: {
      ...closed({ tree: NODE }),
      $defs: { node: closed({ kids: { type: "array", items: NODE }, name: word }) },
    },
    sent: closed({ tree: closed({ kids: { type: "array", items: { type: "object" } }, name: word }) }),
  },
  {
    title: "that refers to its root",
    schema: closed({ kids: { type: "array", items: { $ref: "#" } }, name: word }),
    sent: closed({ kids: { type: "array", items: { type: "object" } }, name: word }),
  },
];
const STRICT = closed({ name: word, pets: { type: "array", items: closed({ age: { type: ["integer", "null"] } }) } });

const SENT = {
  openai: (json: unknown) => ({ text: { format: json } }),
  compatible: (json: unknown) => ({ response_format: { json_schema: json } }),
};
/** The request that a server receives if a response with a schema is requested. */
async function sentFor(wire: "openai" | "compatible", schema: Schema, options: Schema = {}): Promise<unknown> {
  await using server = await startServer(answerJson({}));
  const baseUrl = `${server.url}/v1`;
  const house =
    wire === "openai"
      ? createOpenAiProvider({ apiKey: KEY, baseUrl })
      : createOpenAiCompatibleProvider({ name: "house", baseUrl });
  const client = createClient({ providers: { house }, defaultProvider: "house" });
  const request = { model: "any", prompt: "Who?", schema, providerOptions: { house: options } };
  await generateObject(client, request).catch(() => undefined);
  return server.requests[0]?.json;
}

describe.each(["openai", "compatible"] as const)("schemas of answers for %s", (wire) => {
  test.each(UNSTRICT)(
    "a schema $title is sent without strict mode, which the API accepts [client-request-2]",
    async ({ schema, sent = schema }) => {
      expect(await sentFor(wire, schema)).toMatchObject(SENT[wire]({ schema: sent, strict: false }));
    },
  );

  test("a closed schema whose properties are all required is strict [client-request-2]", async () => {
    expect(await sentFor(wire, STRICT)).toMatchObject(SENT[wire]({ schema: STRICT, strict: true }));
  });

  test("an explicit setting for a strict schema is used unchanged [client-request-2]", async () => {
    const schema = { type: "object" };
    const sent = await sentFor(wire, schema, { strictJsonSchema: true });
    expect(sent).toMatchObject(SENT[wire]({ schema, strict: true }));
  });
});
