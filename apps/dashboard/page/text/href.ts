import { EMPTY_QUERY, formatRunsQuery, parseRunsQuery, type RunsQuery } from "../runs/runs-query.ts";

/** View that a URL fragment names, with its parameters. */
export type Route =
  | { readonly view: "runs"; readonly query: RunsQuery }
  | { readonly view: "board" }
  | { readonly view: "trends" }
  | { readonly view: "run"; readonly runId: string; readonly tab: RunTab }
  | { readonly view: "compare"; readonly left: string; readonly right: string };

/** Names of the tabs on a run's page. */
export const RUN_TABS = ["timeline", "changes", "artifacts", "usage", "result"] as const;
/** Name of a tab on a run's page. */
export type RunTab = (typeof RUN_TABS)[number];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses a URL fragment, such as `#/runs/ID/changes`. Returns the list of runs for an unknown fragment. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, ...rest] = path.split("/").map(decoded);
  const [first = "", second = ""] = rest;
  if (view === "runs" && first !== "") {
    return { view: "run", runId: first, tab: RUN_TABS.find((tab) => tab === second) ?? "timeline" };
  }
  if (view === "compare" && first !== "" && second !== "") return { view: "compare", left: first, right: second };
  if (view === "board" || view === "trends") return { view };
  return { view: "runs", query: parseRunsQuery(query) };
}

/** Returns the URL fragment of the list of runs. */
export function hrefOfRuns(query: RunsQuery = EMPTY_QUERY): string {
  const text = formatRunsQuery(query);
  return text === "" ? "#/runs" : `#/runs?${text}`;
}

/** Returns the URL fragment of a run's page. */
export function hrefOfRun(runId: string, tab: RunTab = "timeline"): string {
  return `#/runs/${encodeURIComponent(runId)}${tab === "timeline" ? "" : `/${tab}`}`;
}

/** Returns the URL fragment of a comparison of two runs. */
export function hrefOfComparison(left: string, right: string): string {
  return `#/compare/${encodeURIComponent(left)}/${encodeURIComponent(right)}`;
}
