/** A file of the dashboard, as a server answers with it. */
export interface DashboardFile {
  /** Path that it is asked for by, `/` for the page itself. */
  readonly path: string;
  /** Media type with its character set. */
  readonly mediaType: string;
  /** What is in it. */
  readonly body: string;
  /** Whether its name changes with its content, so that browsers may cache it indefinitely. */
  readonly isImmutable: boolean;
}
