/** The bytes of a file that are taken at once. */
export const sheetFileBytes = 4 * 1024 * 1024;
/** So many changes and problems are shown at once. */
export const sheetPage = 100;
