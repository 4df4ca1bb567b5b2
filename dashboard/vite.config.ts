import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { colorScheme } from './build/colorScheme.ts';
import { precompress } from './build/precompress.ts';
import { usedColours } from './build/usedColours.ts';
import { worldPaths } from './build/worldPaths.ts';

/** The dashboard's place below the product, in which all its addresses lie. */
const BASE = '/app/';

/** Where the product listens while `npm run dev:dashboard` serves the pages. */
const PRODUCT = process.env.PRODUCT_URL ?? 'http://localhost:3000';

const packages = (...names: string[]) => new RegExp(`node_modules/(${names.join('|')})/`);
const components = (...names: string[]) => new RegExp(`@mantine/core/esm/components/(${names.join('|')})/`);

const VENDOR = packages(
  'react',
  'react-dom',
  'scheduler',
  '@tanstack/(?!react-virtual|virtual-core)[^/]+',
  '@0no-co',
  'gql\\.tada',
);
const LOCK = ['react-remove-scroll[^/]*', 'use-sidecar', 'use-callback-ref', 'react-style-singleton', 'tslib'];
const DIALOGS = packages('@mantine/core/esm/components/(Modal|ModalBase|Drawer)', ...LOCK);
const CHOOSERS = components('Combobox', 'Select', 'ScrollArea(?!/utils)');
const TAGS = components('TagsInput', 'MultiSelect', 'Pill', 'PillsInput');
const NUMBERS = packages('@mantine/core/esm/components/NumberInput', 'react-number-format');
/** Without the marks that menus need, too. */
const FIELDS = components(
  'Checkbox(?!/CheckIcon)',
  'FloatingIndicator',
  'Progress',
  'Radio(?!/RadioIcon)',
  'SegmentedControl',
  'Switch',
);
const PASSWORDS = components('PasswordInput');
/** What the frame needs of the components, and what the pages share beside those above. */
const COMPONENTS = new RegExp(
  `^(?!.*(?:${[DIALOGS, CHOOSERS, TAGS, NUMBERS, FIELDS, PASSWORDS].map(({ source }) => source).join('|')})).*` +
    packages('@mantine/(core|hooks|store)', '@floating-ui', 'clsx', 'get-nonce').source,
);
/** What pages share of our own code, without the parts that are made of fields or that few pages need. */
const SHARED =
  /dashboard\/src\/(kernel\/(?!countr|live|Live|csv)|ui\/(?!SecretOnce|RecordTable|SecondFactorField|PasswordField|Dialog|Changes|ConfirmForm|ShortcutList|ZoneSelect|attemptProblems|qrCode)[^/]+$|session\/(?!useItsPlace)|shell\/|texts\/[a-z]+\.ts|imports\/watched)|preload-helper|\.module\.css/;

/** Paths of what pages of a feature share. The list of links has little in common with the form of one. */
const FEATURES = [
  'entrance/',
  'imports/',
  'analytics/|ui/charts/(BarList|MapSkeleton)',
  'webhooks/(state|one|form/webhookForm)',
  'links/(builder/(?!conditionRows|routingEdits)|useDomains|platforms)',
];

/**
 * A group without what its modules import, which would pull half of the frame into it. Chunks could then import each other in a
 * circle and run in the wrong order: `npm run sizes` refuses that. (`strictExecutionOrder` would cost 13 kB.)
 */
const ALONE = { includeDependenciesRecursively: false, priority: 1 };

/** The name of a class and its file. By default the line is there too: 0.4 kB of each page that nothing needs. */
function classNameIn(name: string, file: string): string {
  const place = path.relative(import.meta.dirname, file.replace(/\?.*$/, ''));
  return `_${name}_${createHash('sha256').update(place).digest('base64url').slice(0, 5)}`;
}

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  publicDir: false,
  css: { modules: { generateScopedName: classNameIn } },
  plugins: [react(), usedColours(), colorScheme(), worldPaths(), precompress()],
  build: {
    outDir: fileURLToPath(new URL('../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Baseline of 2024: browsers that know `light-dark()`, by which every colour has its two values.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // Data URLs are not in the policy of the page, except for images.
    assetsInlineLimit: 0,
    // One style sheet for all pages: a few kilobytes more, and some ten requests fewer.
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // What a module exports and nobody uses is left out, also where a `public.ts` names it.
      treeshake: {
        moduleSideEffects: [{ test: /dashboard\/src\/(?!main\.tsx|ui\/mantine\.ts).*\.tsx?$/, sideEffects: false }],
      },
      output: {
        // Without groups there are dozens of files, some of a hundred bytes.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: VENDOR, priority: 4 },
            // Most pages have no form whose values are kept.
            {
              name: 'records',
              test: /kernel\/(?:recordForm|formValues|useFormDraft|localTimes)/,
              ...ALONE,
              priority: 3,
            },
            { name: 'ui', test: COMPONENTS, minShareCount: 2, ...ALONE, priority: 3 },
            { name: 'app', test: SHARED, minShareCount: 2, ...ALONE, priority: 2 },
            { name: 'form', test: packages('@mantine/form', 'klona', 'fast-deep-equal'), ...ALONE },
            { name: 'dialogs', test: new RegExp(`${DIALOGS.source}|ui/Dialog\\.tsx`), ...ALONE },
            { name: 'choosers', test: CHOOSERS, ...ALONE },
            { name: 'tags', test: TAGS, ...ALONE },
            { name: 'numbers', test: NUMBERS, ...ALONE },
            { name: 'charts', test: packages('d3-[a-z]+', 'internmap') },
            { name: 'fields', test: new RegExp(`${FIELDS.source}|ui/SecretOnce`), ...ALONE },
            { name: 'passwords', test: new RegExp(`${PASSWORDS.source}|ui/PasswordField`), ...ALONE },
            ...FEATURES.map((feature) => ({
              name: feature.split('/')[0] as string,
              test: new RegExp(`dashboard/src/(${feature})`),
              minShareCount: 2,
              ...ALONE,
            })),
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/graphql', '/api', '/reference'].map((path) => [path, { target: PRODUCT, changeOrigin: true }]),
    ),
  },
});
