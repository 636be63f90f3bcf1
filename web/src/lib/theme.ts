/** Where the phone's own choice does not count: an app that shows the portal in its own colours says so in the address. */
const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const shown = () => themes.find((theme) => theme === globalThis.document?.documentElement.dataset.theme);

export const theme = {
  shown,
  /** Whatever is not a theme changes nothing. */
  show(wanted: string | undefined): void {
    if (themes.some((one) => one === wanted)) document.documentElement.dataset.theme = wanted;
  },
};
