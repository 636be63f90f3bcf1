/** An app that embeds the portal passes its theme in the URL, which overrides the phone's own. */
const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const shown = () => themes.find((theme) => theme === globalThis.document?.documentElement.dataset.theme);

export const theme = {
  shown,
  /** An unknown value is ignored. */
  show(wanted: string | undefined): void {
    if (themes.some((one) => one === wanted)) document.documentElement.dataset.theme = wanted;
  },
};
