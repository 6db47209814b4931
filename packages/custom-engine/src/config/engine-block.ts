/** `engine.model` of a configuration document. See custom-engine: full configuration schema. */
export interface ModelBlock {
  provider?: string | undefined;
  name?: string | undefined;
  base_url?: string | undefined;
  params?: Record<string, string> | undefined;
}

/** `engine.custom.local` of a configuration document. */
export interface LocalBlock {
  command?: string | undefined;
  args?: string[] | undefined;
  cwd?: string | undefined;
  input_file?: string | undefined;
  output_file?: string | undefined;
}

/** Entry of `engine.custom.http.files` of a configuration document. */
export interface RequestFilesBlock {
  path?: string | undefined;
  required?: boolean | undefined;
}

/** `engine.custom.http` of a configuration document. */
export interface HttpBlock {
  url?: string | undefined;
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  files?: RequestFilesBlock[] | undefined;
  request_body?: unknown;
}

/** `engine.custom` of a configuration document. */
export interface CustomBlock {
  transport?: string | undefined;
  conversation_mode?: string | undefined;
  response_format?: string | undefined;
  timeout_seconds?: number | undefined;
  effects?: string | undefined;
  env?: Record<string, string> | undefined;
  kwargs?: Record<string, string> | undefined;
  local?: LocalBlock | undefined;
  http?: HttpBlock | undefined;
}

/**
 * `engine` block of a configuration document, before references are resolved. See custom-engine: full configuration
 * schema.
 */
export interface EngineBlock {
  name: string;
  model?: ModelBlock | undefined;
  custom?: CustomBlock | undefined;
}
