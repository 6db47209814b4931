export type { CompileOptions, SchemaCheck } from "./compile-schema.ts";
export { compileSchema } from "./compile-schema.ts";
