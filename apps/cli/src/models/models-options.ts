/** Options of the command `models`. */
export interface ModelsOptions {
  /** Provider whose models are listed; all by default. */
  provider?: string;
  /** Whether JSON is printed. */
  json?: boolean;
  /** Address of the provider's API. */
  baseUrl?: string;
  /** Whether providers are asked what they offer. */
  offers?: boolean;
}
