import type { Part, ProviderMetadata, StreamEvent } from "@switchyard/contracts";
import type { MetadataCollector } from "./metadata.ts";

/** One content block of a response that is still arriving. */
export type ResponseBlock =
  | { kind: "text" | "reasoning"; id: string; text: string; metadata: MetadataCollector }
  | {
      kind: "tool_call";
      id: string;
      /** Id from the provider. Empty if there is none. */
      providerId: string;
      name: string;
      arguments: string;
      done: boolean;
      metadata: MetadataCollector;
      /**
       * Buffered events of a tool call with a duplicate id. They are held until it is known whether the call repeats an
       * earlier call.
       */
      buffered: StreamEvent[] | undefined;
    }
  | { kind: "part"; part: Part };

function withMetadata<T extends Part>(part: T, providerMetadata: ProviderMetadata | undefined): T {
  return providerMetadata === undefined ? part : { ...part, providerMetadata };
}

/** Returns the opaque data of Anthropic's redacted reasoning. */
function redactedData(metadata: ProviderMetadata | undefined): string | undefined {
  const data = metadata?.["anthropic"]?.["redactedData"];
  return typeof data === "string" ? data : undefined;
}

/** Converts a content block to a message part. `undefined` if the block is empty and has no metadata. */
export function toPart(block: ResponseBlock): Part | undefined {
  if (block.kind === "part") return block.part;
  const metadata = block.metadata.collected();
  if (block.kind === "tool_call") {
    return withMetadata({ type: "tool_call", id: block.id, name: block.name, arguments: block.arguments }, metadata);
  }
  const { text } = block;
  if (block.kind === "text") return text === "" ? undefined : withMetadata({ type: "text", text }, metadata);
  const data = redactedData(metadata);
  if (data !== undefined) return withMetadata({ type: "redacted_thinking", data }, metadata);
  return text === "" && metadata === undefined ? undefined : withMetadata({ type: "thinking", text }, metadata);
}
