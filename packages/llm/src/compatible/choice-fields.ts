import type { JSONObject, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import { isRecord } from "../failure/error-info.ts";
import { isJsonObject } from "../request/plain-data.ts";

/** What a choice says that the AI SDK does not read. It is handed on with the reason to stop. */
interface ChoiceFields {
  /** Words of a model that refuses. */
  refusal: string;
  /** Failure of whoever is behind the server; OpenRouter tells it here. */
  error: JSONObject | undefined;
}

function read(body: unknown, spoken: "message" | "delta", fields: ChoiceFields): void {
  const choices = isRecord(body) ? body["choices"] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isRecord(choice)) return;
  const { error, [spoken]: message } = choice;
  if (isJsonObject(error)) fields.error = error;
  if (isRecord(message) && typeof message["refusal"] === "string") fields.refusal += message["refusal"];
}

function toMetadata({ refusal, error }: ChoiceFields): SharedV3ProviderMetadata | undefined {
  if (error !== undefined) return { openaiCompatible: { error } };
  return refusal === "" ? undefined : { openaiCompatible: { refusal } };
}

/** Reads them out of whole answers and streams; the AI SDK asks for it as a `metadataExtractor`. */
export const choiceFields = {
  async extractMetadata({ parsedBody }: { parsedBody: unknown }): Promise<SharedV3ProviderMetadata | undefined> {
    const fields: ChoiceFields = { refusal: "", error: undefined };
    read(parsedBody, "message", fields);
    return toMetadata(fields);
  },
  createStreamExtractor(): {
    processChunk: (chunk: unknown) => void;
    buildMetadata: () => SharedV3ProviderMetadata | undefined;
  } {
    const fields: ChoiceFields = { refusal: "", error: undefined };
    return {
      processChunk: (chunk) => read(chunk, "delta", fields),
      buildMetadata: () => toMetadata(fields),
    };
  },
};
