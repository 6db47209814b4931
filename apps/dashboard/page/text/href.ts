/** Which view an address names. */
export type Place =
  | { readonly view: "runs" }
  | { readonly view: "run"; readonly runId: string; readonly tab: RunTab }
  | { readonly view: "compare"; readonly left: string; readonly right: string };

/** The parts of the view of a run. */
export const RUN_TABS = ["timeline", "changes", "artifacts", "usage", "result"] as const;
/** A part of the view of a run. */
export type RunTab = (typeof RUN_TABS)[number];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The view that the part of an address behind `#` names. */
export function placeOf(hash: string): Place {
  const [view, ...rest] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  const [first = "", second = ""] = rest;
  if (view === "runs" && first !== "") {
    return { view: "run", runId: first, tab: RUN_TABS.find((tab) => tab === second) ?? "timeline" };
  }
  if (view === "compare" && first !== "" && second !== "") return { view: "compare", left: first, right: second };
  return { view: "runs" };
}

/** The address of a run. */
export function hrefOfRun(runId: string, tab: RunTab = "timeline"): string {
  return `#/runs/${encodeURIComponent(runId)}${tab === "timeline" ? "" : `/${tab}`}`;
}

/** The address of a comparison. */
export function hrefOfComparison(left: string, right: string): string {
  return `#/compare/${encodeURIComponent(left)}/${encodeURIComponent(right)}`;
}
