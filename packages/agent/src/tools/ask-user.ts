import {
  EngineError,
  type ExecutionEnvironment,
  type RegisteredTool,
  type ToolArguments,
  type ToolCallContext,
  type ToolOutput,
  type UserPrompt,
  type UserReply,
} from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { textArgument, textList } from "./tool-argument.ts";

const NO_USER =
  "Nobody can answer questions in this session. Decide by yourself, and say in your answer what you took for granted.";

const CANCELLED = "cancelled: the question was not answered. Ask again if you still cannot go on without the answer.";

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemaOf(args: ToolArguments): UserPrompt["schema"] {
  const schema = args["schema"];
  if (isSchema(schema)) return schema;
  const options = textList(args, "options");
  return options.length === 0 ? undefined : { type: "string", enum: options };
}

function questionOf(args: ToolArguments, callId: string): UserPrompt {
  const options = textList(args, "options").map((option, index) => `${index + 1}. ${option}`);
  const text = [textArgument(args, "question"), ...options].join("\n");
  const schema = schemaOf(args);
  // The prompt has the id of the tool call, so that a call repeated after a crash does not ask a second question.
  return { id: callId, parts: [{ type: "text", text }], ...(schema === undefined ? {} : { schema }) };
}

function textIn(part: UserReply["parts"][number]): string {
  if (part.type === "text") return part.text;
  return part.type === "data" ? JSON.stringify(part.value) : "";
}

function toOutput(reply: UserReply): ToolOutput {
  const parts = Array.isArray(reply?.parts) ? reply.parts : [];
  const content = parts
    .map(textIn)
    .filter((text) => text !== "")
    .join("\n");
  const images = parts.filter((part) => part.type === "image");
  if (content === "" && images.length === 0) return { content: "The user gave an empty answer." };
  return { content, images };
}

async function ask(args: ToolArguments, _: ExecutionEnvironment, context: ToolCallContext): Promise<ToolOutput> {
  if (context.askUser === undefined) return { content: NO_USER, isError: true };
  try {
    return toOutput(await context.askUser(questionOf(args, context.callId)));
  } catch (error) {
    if (context.signal.aborted) return { content: CANCELLED, isError: true };
    if (EngineError.is(error, "prompt.unavailable")) return { content: NO_USER, isError: true };
    throw error;
  }
}

/**
 * Tool that asks the user a question. The session waits for input meanwhile. See loop: AWAITING_INPUT, §2.3;
 * architecture: decision 13.
 */
export const askUserTool: RegisteredTool = {
  definition: {
    name: "ask_user",
    description:
      "Ask the user a question and wait for the answer. Use it only when you cannot go on without a decision that is the user's.",
    parameters: objectSchema(
      {
        question: { type: "string", minLength: 1, description: "The question, with all that is needed to answer it." },
        options: { type: "array", items: { type: "string", minLength: 1 }, description: "Answers to choose from." },
        schema: { type: "object", description: "JSON Schema of the answer, where it is more than a text." },
      },
      ["question"],
    ),
  },
  effects: "readonly",
  execute: ask,
};
