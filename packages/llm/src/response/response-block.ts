import type { Part, ProviderMetadata, StreamEvent } from "@switchyard/contracts";
import type { MetadataCollector } from "./metadata.ts";

/** One part of an answer while it arrives. */
export type ResponseBlock =
  | { kind: "text" | "reasoning"; id: string; text: string; metadata: MetadataCollector }
  | {
      kind: "tool_call";
      id: string;
      /** The id that the provider gave it; empty if it gave none. */
      givenId: string;
      name: string;
      arguments: string;
      done: boolean;
      metadata: MetadataCollector;
      /** Events of a call under an id that was taken, until it is known whether it only repeats the other. */
      held: StreamEvent[] | undefined;
    }
  | { kind: "part"; part: Part };

function withMetadata<T extends Part>(part: T, providerMetadata: ProviderMetadata | undefined): T {
  return providerMetadata === undefined ? part : { ...part, providerMetadata };
}

/** The opaque data of reasoning that Anthropic keeps to itself. */
function redactedData(metadata: ProviderMetadata | undefined): string | undefined {
  const data = metadata?.["anthropic"]?.["redactedData"];
  return typeof data === "string" ? data : undefined;
}

/** A block as the part of a message; nothing for one that is empty and carries nothing. */
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
