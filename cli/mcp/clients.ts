import path from 'node:path';

/** Where a program for assistants has its servers. */
export interface McpClient {
  name: string;
  /** The file, from the home folder (`~`) or from this one. */
  file: string;
  /** The names below which the entry stands; TOML has them in a heading. */
  under: string;
  format: 'json' | 'toml';
}

/** One row for each program that `svc mcp config` knows. */
export const CLIENTS: Record<string, McpClient> = {
  claude: { name: 'Claude Code', file: '.mcp.json', under: 'mcpServers', format: 'json' },
  cursor: { name: 'Cursor', file: '.cursor/mcp.json', under: 'mcpServers', format: 'json' },
  vscode: { name: 'Visual Studio Code', file: '.vscode/mcp.json', under: 'servers', format: 'json' },
  codex: { name: 'Codex', file: '~/.codex/config.toml', under: 'mcp_servers', format: 'toml' },
  gemini: { name: 'Gemini CLI', file: '.gemini/settings.json', under: 'mcpServers', format: 'json' },
};

/** What starts the bridge. The key stays in the config file of svc. */
export interface Entry {
  command: string;
  args: string[];
}

export function fileOf({ file }: McpClient, home: string): string {
  return file.startsWith('~/') ? path.join(home, file.slice(2)) : path.resolve(file);
}

/** The text to write where there is nothing yet. */
export function snippetOf(client: McpClient, name: string, entry: Entry): string {
  if (client.format === 'json') return `${JSON.stringify({ [client.under]: { [name]: entry } }, null, 2)}\n`;
  return [
    `[${client.under}.${name}]`,
    `command = ${JSON.stringify(entry.command)}`,
    `args = ${JSON.stringify(entry.args)}`,
    '',
  ].join('\n');
}

/** The text with the entry added or replaced. Throws if it cannot be read. */
export function merged(client: McpClient, text: string, name: string, entry: Entry): string {
  if (text.trim() === '') return snippetOf(client, name, entry);
  if (client.format === 'toml') return mergedToml(client, text, name, entry);
  const content = JSON.parse(text);
  content[client.under] = { ...content[client.under], [name]: entry };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Only the lines of the own table change: comments and order of the others are the person's. */
function mergedToml(client: McpClient, text: string, name: string, entry: Entry): string {
  const heading = `[${client.under}.${name}]`;
  const lines = text.trimEnd().split('\n');
  const from = lines.findIndex((line) => line.trim() === heading);
  const snippet = snippetOf(client, name, entry).trimEnd().split('\n');
  if (from < 0) return `${[...lines, '', ...snippet].join('\n')}\n`;
  const next = lines.findIndex((line, at) => at > from && line.trim().startsWith('['));
  const to = next < 0 ? lines.length : next;
  return `${[...lines.slice(0, from), ...snippet, ...(next < 0 ? [] : ['']), ...lines.slice(to)].join('\n')}\n`;
}
