import type { Family } from "../histories/wire-checks.ts";

/** Returns the value at a path of a JSON value. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined),
    value,
  );
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the texts of a content, which is a text itself or a list of parts. */
function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => at(part, "text")).filter((text) => typeof text === "string");
}

/** A tool result as it was sent. */
export interface WireResult {
  readonly content: string;
  /** Path in the format, if the format has such a field. */
  readonly isError: boolean | undefined;
}

/** The content of a family's request in a format common to all families. */
interface WireFormat {
  /** All messages of the user, steering included, in order. */
  userTexts(body: unknown): readonly string[];
  /** All tool results, in order. */
  results(body: unknown): readonly WireResult[];
  systemText(body: unknown): string;
  toolNames(body: unknown): readonly unknown[];
  /** Value of the field for the reasoning effort. */
  effort(body: unknown): unknown;
}

const OPENAI: WireFormat = {
  userTexts: (body) =>
    listAt(body, "input").flatMap((item) => (at(item, "role") === "user" ? textsIn(at(item, "content")) : [])),
  results: (body) =>
    listAt(body, "input").flatMap((item) =>
      at(item, "type") === "function_call_output"
        ? [{ content: textsIn(at(item, "output")).join(""), isError: undefined }]
        : [],
    ),
  systemText: (body) =>
    listAt(body, "input")
      .flatMap((item) => (/system|developer/.test(String(at(item, "role"))) ? textsIn(at(item, "content")) : []))
      .join("\n"),
  toolNames: (body) => listAt(body, "tools").map((tool) => at(tool, "name")),
  effort: (body) => at(body, "reasoning", "effort"),
};

const ANTHROPIC: WireFormat = {
  userTexts: (body) =>
    listAt(body, "messages").flatMap((message) =>
      at(message, "role") === "user" ? textsIn(at(message, "content")) : [],
    ),
  results: (body) =>
    listAt(body, "messages")
      .flatMap((message) => listAt(message, "content"))
      .flatMap((block) =>
        at(block, "type") === "tool_result"
          ? [{ content: textsIn(at(block, "content")).join(""), isError: at(block, "is_error") === true }]
          : [],
      ),
  systemText: (body) => textsIn(at(body, "system")).join("\n"),
  toolNames: (body) => listAt(body, "tools").map((tool) => at(tool, "name")),
  effort: (body) => at(body, "output_config", "effort"),
};

function geminiParts(body: unknown, role: string): readonly unknown[] {
  return listAt(body, "contents").flatMap((content) => (at(content, "role") === role ? listAt(content, "parts") : []));
}

const GEMINI: WireFormat = {
  userTexts: (body) => textsIn(geminiParts(body, "user")),
  results: (body) =>
    geminiParts(body, "user").flatMap((part) => {
      const response = at(part, "functionResponse", "response");
      return response === undefined ? [] : [{ content: String(at(response, "content")), isError: undefined }];
    }),
  systemText: (body) => textsIn(at(body, "systemInstruction", "parts")).join("\n"),
  toolNames: (body) =>
    listAt(body, "tools")
      .flatMap((tools) => listAt(tools, "functionDeclarations"))
      .map((tool) => at(tool, "name")),
  effort: (body) => at(body, "generationConfig", "thinkingConfig", "thinkingLevel"),
};

/** Functions that read the requests of each family. */
export const WIRE_FORMATS: Readonly<Record<Family, WireFormat>> = {
  openai: OPENAI,
  anthropic: ANTHROPIC,
  gemini: GEMINI,
};
