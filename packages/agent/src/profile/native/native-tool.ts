import type { ToolArguments } from "@switchyard/contracts";
import type { ToolParameters } from "../../tools/object-schema.ts";

/** Vendor-specific form of a tool. Mostly data; `convert` handles other differences. architecture: decision 12. */
export interface NativeTool {
  /** The vendor's name of the tool. */
  readonly name: string;
  /** Description for the model. Default: the tool's own, with the vendor's names. */
  readonly description?: string | undefined;
  /** The vendor's parameter names by the tool's own. Parameters that are not listed have the same name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Parameters that the vendor's tool does not have. */
  readonly hidden?: readonly string[] | undefined;
  /** Schemas of parameters that only the vendor's tool has, which `convert` handles. */
  readonly further?: ToolParameters | undefined;
  /** Required parameters, by the vendor's names. Default: the tool's own. */
  readonly required?: readonly string[] | undefined;
  /** Converts renamed arguments to the tool's own arguments, if their meaning differs. */
  readonly convert?: ((args: ToolArguments) => ToolArguments) | undefined;
}

/** The vendor's tools, by the name of the equivalent tool. */
export type NativeTools = Readonly<Record<string, NativeTool>>;
