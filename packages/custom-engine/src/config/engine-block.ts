/** `engine.model` as it is written. custom-engine: full configuration schema. */
export interface ModelBlock {
  provider?: string | undefined;
  name?: string | undefined;
  base_url?: string | undefined;
  params?: Record<string, string> | undefined;
}

/** `engine.custom.local` as it is written. */
export interface LocalBlock {
  command?: string | undefined;
  args?: string[] | undefined;
  cwd?: string | undefined;
  input_file?: string | undefined;
  output_file?: string | undefined;
}

/** One entry of `engine.custom.http.files` as it is written. */
export interface RequestFilesBlock {
  path?: string | undefined;
  required?: boolean | undefined;
}

/** `engine.custom.http` as it is written. */
export interface HttpBlock {
  url?: string | undefined;
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  files?: RequestFilesBlock[] | undefined;
  request_body?: unknown;
}

/** `engine.custom` as it is written. */
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

/** The block `engine` as it is written, before references are resolved. custom-engine: full configuration schema. */
export interface EngineBlock {
  name: string;
  model?: ModelBlock | undefined;
  custom?: CustomBlock | undefined;
}
