/**
 * Folders of the pages. They are relative to the root of the source or of the built package, so
 * that both find them at the same place.
 */
export const workspacePageFolder = new URL('./page/', import.meta.url);
export const installPageFolder = new URL('./oauth/', import.meta.url);
