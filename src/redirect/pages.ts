/** Pages that visitors see instead of a destination. */
const PAGES = {
  not_found: { status: 404, title: 'Link not found', text: 'There is no link at this address, or it is not in use.' },
  flagged: { status: 404, title: 'Link blocked', text: 'This link was reported as harmful and leads nowhere.' },
  expired: { status: 410, title: 'Link expired', text: 'This link is no longer in use.' },
  unavailable: {
    status: 503,
    title: 'One moment',
    text: 'This link cannot be looked up right now. Please try again shortly.',
  },
} as const;

export type PageName = keyof typeof PAGES;

export interface Page {
  status: number;
  html: Buffer;
}

/** Every page, rendered once. */
export const RENDERED = Object.fromEntries(
  Object.entries(PAGES).map(([name, { status, title, text }]) => [
    name,
    { status, html: Buffer.from(render(title, text)) },
  ]),
) as Record<PageName, Page>;

/** Names and values in turn. Nothing but the styles in the page itself may load. */
export const PAGE_HEADERS: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options',
  'nosniff',
  'X-Robots-Tag',
  'noindex',
];

function render(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0 }
main { max-width: 28rem; padding: 2rem; text-align: center }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
</style>
</head>
<body>
<main><h1>${title}</h1><p>${text}</p></main>
</body>
</html>
`;
}
