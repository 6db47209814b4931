/** A file of the dashboard, ready to be served over HTTP. */
export interface DashboardFile {
  /** URL path of the file; `/` for the page itself. */
  readonly path: string;
  /** Value of the `Content-Type` header, with the character set. */
  readonly mediaType: string;
  /** Content of the file. */
  readonly body: string;
  /** Whether the file's name contains a content hash, so that browsers may cache the file indefinitely. */
  readonly isImmutable: boolean;
}
