import type { ToolArguments } from "@switchyard/contracts";
import type { ToolParameters } from "../../tools/object-schema.ts";

/**
 * Names and parameters that a tool has in the vendor's own coding agent. The canonical names of tools and parameters
 * are those that Switchyard itself uses. See architecture: decision 12.
 */
export interface NativeTool {
  /** The vendor's name for the tool. */
  readonly name: string;
  /** Description for the model. Default: the tool's description, with the vendor's names. */
  readonly description?: string | undefined;
  /** The vendor's parameter names, by canonical name. Parameters that are not listed have the canonical name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Canonical names of the tool's parameters that the vendor's tool lacks. */
  readonly hidden?: readonly string[] | undefined;
  /** Schemas of parameters that only the vendor's tool has. `convert` handles them. */
  readonly further?: ToolParameters | undefined;
  /** Required parameters, under the vendor's names. Default: the tool's required parameters. */
  readonly required?: readonly string[] | undefined;
  /** Converts arguments after renaming, if the meaning of the parameters differs. */
  readonly convert?: ((args: ToolArguments) => ToolArguments) | undefined;
}

/** The vendor's names and parameters of tools, by canonical tool name. */
export type NativeTools = Readonly<Record<string, NativeTool>>;
