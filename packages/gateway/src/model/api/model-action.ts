/** What an endpoint does: it calls a model, counts tokens without calling a model, or lists models. */
export type ModelAction = "generate" | "count_tokens" | "list_models";
