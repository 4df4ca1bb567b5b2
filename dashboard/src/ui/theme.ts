import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core';
import { t } from '../texts/index.ts';

const FONTS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", sans-serif';

/** The tones behind the colours that parts of Mantine are given by name. */
const TONES: Record<string, string> = {
  red: 'var(--alarm)',
  yellow: 'var(--warn)',
  green: 'var(--good)',
  gray: 'var(--soft)',
};

/** Mantine's own choice of white on light blue has a contrast of 2.1 : 1 in dark mode. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const tone = TONES[input.color ?? ''] ?? 'var(--accent)';
  const tint = (share: number) => `color-mix(in srgb, ${tone} ${share}%, transparent)`;
  const plain = { ...colors, color: tone, border: '1px solid transparent' };
  switch (input.variant) {
    case 'filled':
      return {
        ...plain,
        background: tone,
        hover: `color-mix(in srgb, ${tone} 88%, var(--text))`,
        color: input.color === 'red' ? 'light-dark(#fff, #2a0a0c)' : 'var(--on-accent)',
      };
    case 'light':
      return { ...plain, background: tint(12), hover: tint(18) };
    case 'subtle':
      return { ...plain, background: 'transparent', hover: tint(10) };
    case 'default':
      return {
        ...colors,
        background: 'var(--card)',
        hover: 'var(--hover)',
        color: 'var(--text)',
        border: '1px solid var(--line)',
      };
    default:
      return colors;
  }
};

/** Nothing is smaller than 12 px. */
const SMALL = { '--input-description-size': '12px', '--input-error-size': '12px' };

/** The head of a dialog is a `<header>`, which would be a second banner of the page. */
const PLAIN_HEADER = { header: { role: 'presentation' } };

/** Titles with a long email take several lines, and stay clear of the cross. */
const LONG_TITLE = { header: { columnGap: '12px' }, title: { lineHeight: 1.35 } };

export const makeTheme = () =>
  createTheme({
    fontFamily: FONTS,
    fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
    headings: {
      fontFamily: FONTS,
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '22px', lineHeight: '1.25' },
        h2: { fontSize: '16px', lineHeight: '1.35' },
        h3: { fontSize: '14px', lineHeight: '1.4' },
      },
    },
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '16px' },
    defaultRadius: 'md',
    breakpoints: { xs: '30em', sm: '48em', md: '64em', lg: '82em', xl: '96em' },
    // From text to ground, as the tokens have them in dark.
    colors: {
      dark: [
        '#eceff3',
        '#c9ced6',
        '#a9b1bd',
        '#788292',
        '#3a424d',
        '#2b313a',
        '#20252c',
        '#191d23',
        '#14181d',
        '#0f1216',
      ],
    },
    primaryColor: 'blue',
    cursorType: 'pointer',
    respectReducedMotion: true,
    variantColorResolver,
    components: {
      Button: { defaultProps: { size: 'sm' } },
      Modal: {
        defaultProps: {
          centered: true,
          padding: 'lg',
          radius: 'lg',
          closeButtonProps: { 'aria-label': t.common.close },
          attributes: PLAIN_HEADER,
          styles: LONG_TITLE,
        },
      },
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t.common.close }, attributes: PLAIN_HEADER } },
      Tooltip: { defaultProps: { withinPortal: true, events: { hover: true, focus: true, touch: true } } },
      Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
      InputWrapper: { vars: () => ({ label: {}, description: SMALL, error: SMALL }) },
      Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    },
  });

/** Mantine sets these for light and for dark; ours have both values in one. */
const SCHEME = {
  '--mantine-color-body': 'var(--card)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--soft)',
  '--mantine-color-error': 'var(--alarm)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-placeholder': 'light-dark(#676f7d, #9aa3b0)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'light-dark(#e9ecf0, #2b313a)',
  '--mantine-color-disabled-color': 'light-dark(#5f6773, #9aa3b0)',
  '--mantine-color-disabled-border': 'var(--edge)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-primary-color-light': 'color-mix(in srgb, var(--accent) 12%, transparent)',
  '--mantine-primary-color-light-hover': 'color-mix(in srgb, var(--accent) 18%, transparent)',
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-color-blue-filled': 'var(--accent)',
  '--mantine-color-blue-light': 'color-mix(in srgb, var(--accent) 12%, transparent)',
  '--mantine-color-blue-light-color': 'var(--accent)',
  '--mantine-color-red-filled': 'var(--alarm)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: SCHEME, dark: SCHEME });
