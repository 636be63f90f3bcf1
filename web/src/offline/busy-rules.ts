import { paths } from '@portal/domain/paths.ts';

export const isPaying = (path: string): boolean => path === paths.payment || path.startsWith(`${paths.payment}/`);

/** A new version waits while somebody pays, orders home broadband, or has started to fill in a form. */
export const isUpdateUnwelcome = (path: string, isFilling: boolean): boolean =>
  isFilling || isPaying(path) || path === paths.homeBroadband;
