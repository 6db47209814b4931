// Generates an object of a known type. The model calls a tool first, and a fallback model replaces one that fails.
import assert from "node:assert/strict";
import { EngineError } from "@switchyard/contracts";
import {
  generate,
  generateObject,
  streamObject,
  withCost,
  withFallback,
  withMiddleware,
  withRetry,
} from "@switchyard/llm";
import { failure, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { z } from "zod";

const Forecast = z.object({ town: z.string(), celsius: z.number() });

const busy = failure(new EngineError("llm.server_error", { provider: "openai", status: 503, problem: "busy" }));
const script = scriptedClient([
  toolCall("weather", { town: "Riga" }),
  text("Riga has 21 degrees."),
  ...[busy, busy, busy], // the first attempt and both retries
  text('{"town":"Riga","celsius":21}'),
  text('{"town":"Riga","celsius":"warm"}'),
  text('{"town":"Oslo","celsius":9}'),
]);

// From the outermost wrapper to the innermost: a fallback model, retries, and the cost of each response.
const client = withMiddleware(script, [
  (inner) => withFallback(inner, [{ provider: "anthropic", model: "claude-sonnet-5-5" }]),
  (inner) => withRetry(inner, { baseDelayMs: 1 }),
  (inner) => withCost(inner, { prices: { "scripted/gpt-6.2-sol": { input: 1, output: 4 } } }),
]);

const weather = {
  name: "weather",
  description: "Tells the weather of a town.",
  parameters: { type: "object", properties: { town: { type: "string" } }, required: ["town"] },
  execute: ({ town }: Readonly<Record<string, unknown>>): string => `${String(town)}: 21 °C`,
};
const answer = await generate(client, { model: "gpt-6.2-sol", prompt: "How warm is Riga?", tools: [weather] });
console.log(answer.text);
assert.equal(answer.steps[0]?.toolResults[0]?.content, "Riga: 21 °C");

// The schema is sent to the model, the returned object is validated against the schema, and `parse` sets its type.
const asked = { schema: z.toJSONSchema(Forecast), parse: (value: unknown) => Forecast.parse(value) };
const { object, warnings } = await generateObject(client, {
  model: "gpt-6.2-sol",
  messages: answer.messages,
  ...asked,
});
console.log(`${object.town}: ${object.celsius.toFixed(1)} °C`, warnings);
assert.equal(script.requests.at(-1)?.model, "claude-sonnet-5-5");

// If no object fits the schema, the call rejects, and the error's details contain the model's text.
const wrong = generateObject(client, { model: "gpt-6.2-sol", prompt: "And now?", ...asked });
await assert.rejects(wrong, (error) => EngineError.is(error, "llm.no_object"));

// Partial objects, while the response arrives.
for await (const partial of streamObject(client, { model: "gpt-6.2-sol", prompt: "And Oslo?", ...asked })) {
  console.log("so far", partial);
}
assert.equal(script.remaining, 0);
