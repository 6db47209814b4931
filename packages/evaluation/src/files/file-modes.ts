/** Mode of files: readable by their owner only. */
export const FILE_MODE = 0o600;
/** Mode of folders: accessible to their owner only. */
export const FOLDER_MODE = 0o700;
