import {
  EngineError,
  type Message,
  type ModelResponse,
  type Part,
  type ToolCallPart,
  textMessage,
} from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { answer, failureOf, fakeClient } from "../../test/fake-client.ts";
import { generate, streamGenerate } from "./generate.ts";
import type { GenerateTool } from "./generate-options.ts";
import type { GenerateEvent, GenerateStep } from "./generate-result.ts";

function call(id: string, name: string, args: unknown = {}): ToolCallPart {
  return { type: "tool_call", id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

function calling(...parts: readonly Part[]): ModelResponse {
  const message: Message = { role: "assistant", parts };
  return answer("calls", { message, finishReason: { unified: "tool_calls" } });
}

const PARAMETERS = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

/** Doubles a number; a larger one sooner, so that results come in another order than the calls. */
function doubler(started: number[] = []): GenerateTool {
  return {
    name: "double",
    description: "Doubles a number.",
    parameters: PARAMETERS,
    async execute({ n }) {
      const number = typeof n === "number" ? n : 0;
      started.push(number);
      for (let turn = 0; turn < 10 - number; turn += 1) await Promise.resolve();
      return { doubled: number * 2 };
    },
  };
}

/** A client that gives these answers in order. */
function scripted(...answers: readonly ModelResponse[]): ReturnType<typeof fakeClient> {
  return fakeClient((_request, index) => {
    const next = answers[index];
    if (next === undefined) throw new Error("no answer is left");
    return next;
  });
}

test("a prompt is answered, with the system text before it", async () => {
  const client = scripted(answer("Hello!"));
  const result = await generate(client, { model: "m", prompt: "Say hello.", system: "Be kind.", temperature: 0 });
  expect(client.requests).toEqual([
    { model: "m", temperature: 0, messages: [textMessage("system", "Be kind."), textMessage("user", "Say hello.")] },
  ]);
  expect(result).toMatchObject({ text: "Hello!", toolCalls: [], finishReason: { unified: "stop" } });
  expect(result.messages).toEqual([answer("Hello!").message]);
  expect(result.steps).toHaveLength(1);
});

test.each([
  [{}, "prompt"],
  [{ prompt: "a", messages: [] }, "prompt"],
  [{ prompt: "a", maxToolRounds: -1 }, "maxToolRounds"],
  [{ prompt: "a", maxToolRounds: Number.NaN }, "maxToolRounds"],
  [{ prompt: "a", tools: [doubler(), doubler()] }, "tools"],
])("%j is refused before any model call [client-generate-1]", async (options, field) => {
  const client = scripted();
  const error = await failureOf(generate(client, { model: "m", ...options }));
  expect(error).toMatchObject({ code: "config.invalid", details: { field } });
  expect(() => streamGenerate(client, { model: "m", ...options })).toThrow(EngineError);
  expect(client.requests).toEqual([]);
});

describe("tools", () => {
  test("calls of one response run in parallel, and their results are in the order of the calls [client-generate-3]", async () => {
    const started: number[] = [];
    const steps: GenerateStep[] = [];
    const response = calling(call("1", "double", { n: 1 }), call("2", "double", { n: 9 }));
    const client = scripted(response, answer("2 and 18"));
    const result = await generate(client, {
      model: "m",
      prompt: "Double 1 and 9.",
      tools: [doubler(started)],
      onStep: (step) => void steps.push(step),
    });
    expect(started).toEqual([1, 9]);
    const results = [
      { type: "tool_result", toolCallId: "1", name: "double", content: '{"doubled":2}', isError: false },
      { type: "tool_result", toolCallId: "2", name: "double", content: '{"doubled":18}', isError: false },
    ];
    expect(client.requests[0]?.tools).toEqual([
      { name: "double", description: "Doubles a number.", parameters: PARAMETERS },
    ]);
    expect(client.requests[1]?.messages).toEqual([
      textMessage("user", "Double 1 and 9."),
      response.message,
      { role: "tool", parts: results },
    ]);
    expect(result).toMatchObject({ text: "2 and 18", usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 } });
    expect(result.response.usage.totalTokens).toBe(15);
    expect(result.messages).toHaveLength(3);
    expect(steps).toEqual(result.steps);
    expect(steps[0]?.toolResults).toEqual(results);
  });

  test("an unknown tool, bad arguments and a tool that throws are failed results, not failures [client-generate-4]", async () => {
    const thrower: GenerateTool = {
      name: "fail",
      description: "Fails.",
      parameters: { type: "object" },
      execute: () => {
        throw new Error("out of order");
      },
    };
    const response = calling(
      call("1", "constructor"),
      call("2", "double", "{"),
      call("3", "double", { n: 1.5 }),
      call("4", "double", '{"n":1,"__proto__":{}}'),
      call("5", "double", "[1]"),
      call("6", "fail", ""),
      call("7", "double", "{}"),
    );
    const client = scripted(response, answer("sorry"));
    const { steps } = await generate(client, { model: "m", prompt: "go", tools: [doubler(), thrower] });
    const results = steps[0]?.toolResults ?? [];
    expect(results.every((result) => result.isError)).toBe(true);
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining("constructor"),
      expect.stringContaining("not valid JSON"),
      expect.stringContaining("must be integer"),
      expect.stringContaining("not a plain object"),
      expect.stringContaining("not a plain object"),
      "out of order",
      expect.stringContaining("required property 'n'"),
    ]);
  });

  test("no more rounds than allowed; the calls that are left are the caller's [client-generate-2]", async () => {
    const again = (): ModelResponse => calling(call("1", "double", { n: 1 }));
    const client = scripted(again(), again(), again(), again());
    const result = await generate(client, { model: "m", prompt: "go", tools: [doubler()], maxToolRounds: 2 });
    expect(client.requests).toHaveLength(3);
    expect(result.finishReason.unified).toBe("tool_calls");
    expect(result.toolCalls).toHaveLength(1);
    expect(result.toolResults).toEqual([]);
    const none = await generate(scripted(again()), { model: "m", prompt: "go", tools: [doubler()], maxToolRounds: 0 });
    expect(none.toolResults).toEqual([]);
  });

  test("if a response calls a tool without a function, all its calls are returned to the caller, and none is executed", async () => {
    const started: number[] = [];
    const passive: GenerateTool = { name: "ask", description: "Asks.", parameters: { type: "object" } };
    const client = scripted(calling(call("1", "double", { n: 1 }), call("2", "ask")));
    const result = await generate(client, { model: "m", prompt: "go", tools: [doubler(started), passive] });
    expect(result.toolCalls.map(({ name }) => name)).toEqual(["double", "ask"]);
    expect([started, result.toolResults]).toEqual([[], []]);
  });

  test("a call that was forced once is not forced again", async () => {
    const client = scripted(calling(call("1", "double", { n: 1 })), answer("done"));
    await generate(client, { model: "m", prompt: "go", tools: [doubler()], toolChoice: "required" });
    expect(client.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", "auto"]);
  });

  test("an abort ends `generate` immediately, even if a tool ignores the signal", async () => {
    const controller = new AbortController();
    const deaf: GenerateTool = {
      name: "deaf",
      description: "Never ends.",
      parameters: { type: "object" },
      execute: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    };
    const { signal } = controller;
    const client = scripted(calling(call("1", "deaf")), answer("never"));
    const options = { model: "m", prompt: "go", tools: [deaf], signal };
    expect(await failureOf(generate(client, options))).toMatchObject({ code: "llm.aborted" });
    expect(client.requests).toHaveLength(1);
    const again = await failureOf(generate(scripted(calling(call("1", "deaf"))), options));
    expect(again).toMatchObject({ code: "llm.aborted" });
  });
});

describe("streams", () => {
  test("a stream contains the events of all responses and the tool results, and ends with the same result as a complete call [client-generate-5]", async () => {
    const script = [calling(call("1", "double", { n: 4 })), answer("It is 8.")];
    const options = { model: "m", prompt: "go", tools: [doubler()] };
    const stream = streamGenerate(scripted(...script), options);
    const types: string[] = [];
    let text = "";
    for await (const event of stream) {
      if (event.type !== types.at(-1)) types.push(event.type);
      if (event.type === "text_delta") text += event.text;
    }
    expect(types).toEqual([
      ...["stream_start", "tool_call_start", "tool_call_delta", "tool_call_end", "finish", "tool_result", "step_end"],
      ...["stream_start", "text_start", "text_delta", "text_end", "finish", "step_end"],
    ]);
    expect(text).toBe("It is 8.");
    expect(await stream.result()).toEqual(await generate(scripted(...script), options));
    expect(() => stream[Symbol.asyncIterator]()).toThrow(/once/);
  });

  test("waiting for the result reads the stream, and no request is made before", async () => {
    const client = scripted(answer("hi"));
    const stream = streamGenerate(client, { model: "m", prompt: "go" });
    expect(client.requests).toEqual([]);
    expect((await stream.result()).text).toBe("hi");
    expect((await stream.result()).text).toBe("hi");
    expect(client.requests).toHaveLength(1);
  });

  test("leaving early closes the stream below and rejects the result", async () => {
    const client = scripted(answer("a long answer"));
    const stream = streamGenerate(client, { model: "m", prompt: "go" });
    for await (const event of stream) if (event.type === "text_delta") break;
    expect(client.ended).toBe(1);
    expect(await failureOf(stream.result())).toMatchObject({ code: "llm.aborted" });
  });

  test("a failed stream rejects both the events and the result, and a stream without a last event is an error", async () => {
    const stream = streamGenerate(scripted(), { model: "m", prompt: "go" });
    const read = async (): Promise<GenerateEvent[]> => {
      const events: GenerateEvent[] = [];
      for await (const event of stream) events.push(event);
      return events;
    };
    expect(await failureOf(read())).toEqual(new Error("no answer is left"));
    expect(await failureOf(stream.result())).toEqual(new Error("no answer is left"));
    const empty = { ...scripted(), stream: async function* stream() {} };
    const broken = streamGenerate(empty, { model: "m", prompt: "go" });
    expect(await failureOf(broken.result())).toMatchObject({ code: "llm.stream_broken" });
  });
});
