import type { ToolArguments } from "@switchyard/contracts";
import type { ToolParameters } from "../../tools/object-schema.ts";

/** How a vendor's own agent shows a tool: data, but for what differs in more than its name. architecture: decision 12. */
export interface NativeTool {
  /** The vendor's name of the tool. */
  readonly name: string;
  /** What the model is told about it; the tool's own words, with the vendor's names in them, by default. */
  readonly description?: string | undefined;
  /** The vendor's parameter names by the tool's own; those that are not listed are called the same. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Own parameters that the vendor's tool does not have. */
  readonly hidden?: readonly string[] | undefined;
  /** Schemas of parameters that only the vendor's tool has; `convert` makes something of them. */
  readonly further?: ToolParameters | undefined;
  /** Required parameters, by the vendor's names; the tool's own by default. */
  readonly required?: readonly string[] | undefined;
  /** Makes arguments of the tool's own of those that were renamed, where the meaning differs too. */
  readonly convert?: ((args: ToolArguments) => ToolArguments) | undefined;
}

/** The vendor's tools by the names of the tools they stand for. */
export type NativeTools = Readonly<Record<string, NativeTool>>;
