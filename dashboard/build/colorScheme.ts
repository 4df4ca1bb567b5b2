import type { Plugin } from 'vite';

/**
 * A script of its own that chooses light or dark before anything is painted. Modules run too late for that, and the policy
 * of the page allows no inline script. It reads what Mantine keeps in localStorage.
 */
const SCRIPT = `try {
  var chosen = localStorage.getItem('mantine-color-scheme-value');
} catch {}
var isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
`;

export function colorScheme(): Plugin {
  return {
    name: 'color-scheme',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name: 'colorScheme.js', source: SCRIPT });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /\/colorScheme-.*\.js$/.test(name));
        return file ? [{ tag: 'script', attrs: { src: `/app/${file}` }, injectTo: 'head-prepend' }] : [];
      },
    },
  };
}
