import { EngineError } from "@switchyard/contracts";
import { DASHBOARD_HEADERS, type DashboardFile, dashboardFiles } from "@switchyard/dashboard";
import type { RequestContext } from "./request-facts.ts";

/** URL paths of the dashboard's files. The files contain no run data and need no token. */
export const DASHBOARD_PATHS: readonly string[] = ["/", "/assets/:file"];

let files: Promise<ReadonlyMap<string, DashboardFile>> | undefined;

/** Returns the dashboard's files by path. They are loaded on first use, because the dashboard is rarely used. */
async function filesByPath(): Promise<ReadonlyMap<string, DashboardFile>> {
  return new Map((await dashboardFiles()).map((file) => [file.path, file]));
}

/** Responds with a dashboard file. Rejects with `server.no_route`. */
export async function serveDashboard(context: RequestContext): Promise<Response> {
  files ??= filesByPath();
  const file = (await files).get(context.req.path);
  if (file === undefined) throw new EngineError("server.no_route");
  return new Response(file.body, {
    headers: {
      ...DASHBOARD_HEADERS,
      "content-type": file.mediaType,
      "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}
