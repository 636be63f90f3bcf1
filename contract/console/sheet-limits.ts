/** Maximum size of an uploaded file in bytes. */
export const sheetFileBytes = 4 * 1024 * 1024;
/** Maximum number of changes and problems in a preview. */
export const sheetPage = 100;
