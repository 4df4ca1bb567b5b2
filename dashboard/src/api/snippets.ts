/** A first request, by language: it makes a link and prints its short URL. */
export const SNIPPETS = {
  curl: (baseUrl: string, key: string) =>
    [
      `curl ${baseUrl}/api/v1/links`,
      `  -H "Authorization: Bearer ${key}"`,
      '  -H "Content-Type: application/json"',
      `  -d '{"destination": "https://example.com"}'`,
    ].join(' \\\n'),
  Node: (baseUrl: string, key: string) => `const response = await fetch('${baseUrl}/api/v1/links', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify({ destination: 'https://example.com' }),
});
const link = await response.json();
console.log(link.short_url);
`,
  Python: (baseUrl: string, key: string) => `import json, urllib.request

request = urllib.request.Request(
    "${baseUrl}/api/v1/links",
    data=json.dumps({"destination": "https://example.com"}).encode(),
    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["short_url"])
`,
  PHP: (baseUrl: string, key: string) => `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ["Authorization: Bearer ${key}", 'Content-Type: application/json'],
    'content' => json_encode(['destination' => 'https://example.com']),
]]);
$link = json_decode(file_get_contents('${baseUrl}/api/v1/links', false, $context), true);
echo $link['short_url'], "\\n";
`,
} satisfies Record<string, (baseUrl: string, key: string) => string>;

/** The start of the SDK in an app. */
export function appCode(baseUrl: string, key: string): string {
  return `import { init } from 'SVC-App';

export const svc = init({ url: '${baseUrl}', key: '${key}' });
`;
}
