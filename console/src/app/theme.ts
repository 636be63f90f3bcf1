import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, Notification } from '@mantine/core';

/** The portal's brand colours, denser; colour is used for states and for the main action of a page. */
const flame: MantineColorsTuple = [
  '#fff1e9',
  '#ffe0d0',
  '#fbbf9f',
  '#f59c6d',
  '#ef7d43',
  '#e2602a',
  '#c8410b',
  '#b23908',
  '#9f3206',
  '#7c2603',
];
const night: MantineColorsTuple = [
  '#f0effa',
  '#dcdaf0',
  '#b7b3de',
  '#8f89cb',
  '#6d66bb',
  '#5850b0',
  '#3d3783',
  '#2b2760',
  '#1d1b3a',
  '#141228',
];

export const theme = createTheme({
  colors: { flame, night },
  primaryColor: 'flame',
  primaryShade: 6,
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.625rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Notifications close by themselves and only repeat what the page shows.
  components: { Notification: Notification.extend({ defaultProps: { withCloseButton: false } }) },
});

/**
 * The library's grey, and its colours on a tint of themselves, have too little contrast for small text: at least 4.5
 * to 1 is needed.
 */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5f5b70',
    '--mantine-color-teal-light-color': '#06694b',
    '--mantine-color-yellow-light-color': '#7d5200',
    '--mantine-color-red-light-color': '#b32020',
    '--mantine-color-error': '#b32020',
  },
  dark: { '--mantine-color-dimmed': '#b4b1c4', '--mantine-color-error': '#ffa8a8' },
});
