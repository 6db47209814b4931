// For servers: the dashboard as files that a browser asks for.

import type { DashboardFile } from "./dashboard-file.ts";

export type { DashboardFile } from "./dashboard-file.ts";

/**
 * Every file of the dashboard; they are loaded when this is first called. The page needs the runs API of a Switchyard
 * server at the same origin and nothing from anywhere else. architecture: surfaces.
 */
export async function dashboardFiles(): Promise<readonly DashboardFile[]> {
  const { FILES } = await import("../built/files.js");
  return FILES;
}

/**
 * Headers for each of its files: no script but its own runs, nothing is asked of another origin, and no page can show
 * it in a frame. security: dashboard.
 */
export const DASHBOARD_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
