/** What the process that renders pages asks the development server, each at an address of its own. */
export const questions = {
  /** The hot channel of Vite's own module runner. */
  module: '/@dev/module',
  state: '/@dev/state',
  styles: '/@dev/styles',
} as const;

export const entryModule = 'src/app/entry-client.tsx';

export interface DevState {
  /** Grows with every change of a file that pages are made of. */
  version: number;
  /** By module, the time of its last replacement: a page that names a replaced module has to name that too. */
  replaced: Record<string, number>;
}

export interface DevStyle {
  /** As Vite's client names it, so that it replaces this very style. */
  id: string;
  css: string;
}
