/** Options of the command `models`. */
export interface ModelsOptions {
  /** Provider whose models are listed. Default: all. */
  provider?: string;
  /** Whether to print JSON. */
  json?: boolean;
  /** Base URL of the provider's API. */
  baseUrl?: string;
  /** Whether to request the list of models from the providers' APIs. */
  offers?: boolean;
}
