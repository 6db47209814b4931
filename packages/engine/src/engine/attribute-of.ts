import type { Run } from "@switchyard/contracts";

/** Returns an attribute of a run; an empty string if the attribute is not set. See engine: Run.Attributes. */
export function attributeOf(run: Pick<Run, "attributes"> | undefined, name: string): string {
  const attributes: Run["attributes"] | undefined = run?.attributes;
  return attributes !== undefined && Object.hasOwn(attributes, name) ? (attributes[name] ?? "") : "";
}
