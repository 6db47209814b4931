/** Permission bits of result files: readable and writable by the owner only. */
export const FILE_MODE = 0o600;
/** Permission bits of result folders: accessible to the owner only. */
export const FOLDER_MODE = 0o700;
