// Exports for users: find and load third-party adapters.
export type {
  AdapterCatalog,
  AdapterCatalogOptions,
  AdapterModule,
  CatalogEntry,
} from "./catalog/adapter-catalog.ts";
export { createAdapterCatalog } from "./catalog/adapter-catalog.ts";
export type { DiscoverAdaptersOptions, FoundAdapter } from "./discovery/discover-adapters.ts";
export { discoverAdapters } from "./discovery/discover-adapters.ts";
export { findModule } from "./module/find-module.ts";
export type { CreatePackageOptions } from "./template/create-package.ts";
export { createPackage } from "./template/create-package.ts";
export { isEmptyFolder, packageNameProblem } from "./template/package-target.ts";
