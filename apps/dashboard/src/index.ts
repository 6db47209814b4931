// For servers: the dashboard as files that a browser asks for.

/** A file of the dashboard, as a server answers with it. */
export interface DashboardFile {
  /** Path that it is asked for by, `/` for the page itself. */
  readonly path: string;
  /** Media type with its character set. */
  readonly mediaType: string;
  /** What is in it. */
  readonly body: string;
  /** Whether its name changes with its content, so that a browser may keep it for good. */
  readonly isImmutable: boolean;
}

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
