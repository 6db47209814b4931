import type { Run } from "@switchyard/contracts";

/** An attribute of a run; the empty text when it has none of that name. engine: Run.Attributes. */
export function attributeOf(run: Pick<Run, "attributes"> | undefined, name: string): string {
  const attributes: Run["attributes"] | undefined = run?.attributes;
  return attributes !== undefined && Object.hasOwn(attributes, name) ? (attributes[name] ?? "") : "";
}
