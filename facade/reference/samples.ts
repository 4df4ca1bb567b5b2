import { config } from '../../src/kernel/config.ts';
import type { ManifestOperation } from '../manifest.ts';
import { javaScriptText, pythonText } from './literals.ts';
import { type SampleRequest, sampleRequest, targetOf } from './sampleRequest.ts';

/** A request in one language, ready to be copied. */
export interface Sample {
  /** As people know it. */
  name: string;
  /** As fences name it. */
  language: string;
  code: string;
}

export type SampleName = 'curl' | 'TypeScript' | 'Python' | 'Command line';

const LANGUAGES: Record<SampleName, string> = { curl: 'sh', TypeScript: 'ts', Python: 'python', 'Command line': 'sh' };
export const SAMPLE_NAMES = Object.keys(LANGUAGES) as SampleName[];

const WRITERS: Record<SampleName, (operation: ManifestOperation, request: SampleRequest) => string | null> = {
  curl: curlText,
  TypeScript: typeScriptText,
  Python: pythonProgram,
  'Command line': commandText,
};

/** The same request in every language. The command line and our client are for servers: what apps send has none of them. */
export function samplesOf(operation: ManifestOperation): Sample[] {
  const request = sampleRequest(operation);
  return SAMPLE_NAMES.flatMap((name) => {
    const code = WRITERS[name](operation, request);
    return code === null ? [] : [{ name, language: LANGUAGES[name], code }];
  });
}

/** Where programs find the key, and the header that they send it in. */
const KEYS = {
  rest: { variable: 'SVC_KEY', header: 'Authorization', prefix: 'Bearer ' },
  sdk: { variable: 'SVC_PUBLISHABLE_KEY', header: 'X-SVC-Key', prefix: '' },
};

function urlOf({ path, api }: ManifestOperation, request: SampleRequest): string {
  const origin = api === 'sdk' ? (config.sdkUrl ?? config.baseUrl) : config.baseUrl;
  return origin + targetOf(path, request);
}

function curlText(operation: ManifestOperation, request: SampleRequest): string {
  const { variable, header, prefix } = KEYS[operation.api];
  const { body, method } = request;
  // With a body, curl sends POST without being told.
  const isUsual = method === (body ? 'POST' : 'GET');
  const parts = [
    `curl${isUsual ? '' : ` -X ${method}`} "${urlOf(operation, request)}"`,
    `-H "${header}: ${prefix}$${variable}"`,
    ...(body ? [`-H "Content-Type: ${body.kind === 'json' ? 'application/json' : body.mediaType}"`] : []),
    ...(body?.kind === 'json' ? [`-d ${quoted(JSON.stringify(body.value, null, 2))}`] : []),
    ...(body?.kind === 'file' ? [`--data-binary @${body.file}`] : []),
    ...(fileOf(operation) ? [`-o ${fileOf(operation)}`] : []),
  ];
  return parts.join(' \\\n  ');
}

/** What a file that an operation answers is called. */
function fileOf({ id, answer }: ManifestOperation): string | null {
  if (answer.kind === 'file') return 'qr.svg';
  return answer.kind === 'csv' ? `${id === 'exportLinks' ? 'links' : 'import'}.csv` : null;
}

function quoted(text: string): string {
  return /^[\w./:@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function typeScriptText(operation: ManifestOperation, request: SampleRequest): string {
  const { call, api, answer } = operation;
  if (api === 'sdk') return fetchText(operation, request);
  const { variables, body, query } = request;
  const given = [
    ...Object.values(variables).map(javaScriptText),
    ...(body?.kind === 'json' ? [javaScriptText(body.value)] : []),
    ...(body?.kind === 'file' ? [`await readFile('${body.file}', 'utf8')`] : []),
    ...(Object.keys(query).length > 0 ? [javaScriptText(query)] : []),
  ];
  const called = `svc.${call}(${given.join(', ')})`;
  const isFile = answer.kind === 'file' || answer.kind === 'csv';
  const files = [body?.kind === 'file' && 'readFile', isFile && 'writeFile'].filter(Boolean).join(', ');
  return [
    ...(files ? [`import { ${files} } from 'node:fs/promises';`] : []),
    "import { Svc } from 'SVC-Client';",
    '',
    `const svc = new Svc({ url: '${config.baseUrl}', key: process.env.SVC_KEY ?? '' });`,
    useOf(operation, called),
  ].join('\n');
}

function useOf(operation: ManifestOperation, called: string): string {
  const { answer, params } = operation;
  if (answer.kind === 'none') return `await ${called};`;
  if (answer.kind === 'stream') return `for await (const event of ${called}) console.log(event);`;
  if (answer.kind === 'csv') return `await writeFile('${fileOf(operation)}', ${called});`;
  if (answer.kind === 'file')
    return `const { bytes } = await ${called};\nawait writeFile('${fileOf(operation)}', bytes);`;
  const isList = params.some(({ name }) => name === 'cursor');
  if (isList) return `for await (const one of ${called}) console.log(one);`;
  return `console.log(await ${called});`;
}

/** What apps send without our SDK. */
function fetchText(operation: ManifestOperation, request: SampleRequest): string {
  const { variable, header } = KEYS[operation.api];
  const value = request.body?.kind === 'json' ? request.body.value : {};
  return `const response = await fetch('${urlOf(operation, request)}', {
  method: '${request.method}',
  headers: { '${header}': process.env.${variable} ?? '', 'Content-Type': 'application/json' },
  body: JSON.stringify(${javaScriptText(value, 1)}),
});
console.log(await response.json());`;
}

function pythonProgram(operation: ManifestOperation, request: SampleRequest): string {
  const { variable, header, prefix } = KEYS[operation.api];
  const { body, method } = request;
  const file = fileOf(operation);
  const isStream = operation.answer.kind === 'stream';
  const isJson = operation.answer.kind !== 'none' && !isStream && !file;
  const value = body?.kind === 'json' ? `json.dumps(${pythonText(body.value, 1)}).encode()` : null;
  const data = body?.kind === 'file' ? `open("${body.file}", "rb").read()` : value;
  const type = body && (body.kind === 'json' ? 'application/json' : body.mediaType);
  return [
    ...(isJson || value ? ['import json'] : []),
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${urlOf(operation, request)}",`,
    `    method="${method}",`,
    '    headers={',
    `        "${header}": ${prefix ? `"${prefix}" + ` : ''}os.environ["${variable}"],`,
    ...(type ? [`        "Content-Type": "${type}",`] : []),
    '    },',
    ...(data ? [`    data=${data},`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    ...(isStream ? ['    for line in response:', '        print(line.decode(), end="")'] : []),
    ...(file ? [`    open("${file}", "wb").write(response.read())`] : []),
    ...(isStream || file ? [] : [`    print(${isJson ? 'json.load(response)' : 'response.status'})`]),
  ].join('\n');
}

/** Fields that commands take as arguments. */
const ARGUMENTS: Record<string, string[]> = { createLink: ['destination', 'slug'] };

/** `svc <resource> <verb>`: variables of the path are arguments, everything else flags. */
function commandText(operation: ManifestOperation, { variables, query, body }: SampleRequest): string | null {
  if (operation.api === 'sdk') return null;
  const given: Record<string, unknown> = body?.kind === 'json' ? { ...(body.value as object) } : {};
  const named = ARGUMENTS[operation.id] ?? [];
  const fields = Object.entries(given).filter(([name]) => !named.includes(name));
  const parts = [
    `svc ${operation.call.split('.').map(kebab).join(' ')}`,
    ...[...Object.values(variables), ...named.map((name) => String(given[name]))].map(quoted),
    ...(body?.kind === 'file' ? [body.file] : []),
    ...[...fields, ...Object.entries(query)].map(([name, value]) => flagOf(name, value)),
    ...(fileOf(operation) ? [`-o ${fileOf(operation)}`] : []),
  ];
  const line = parts.join(' ');
  return line.length <= 80 ? line : parts.join(' \\\n  ');
}

function flagOf(name: string, value: unknown): string {
  const flag = `--${kebab(name)}`;
  if (typeof value === 'boolean') return value ? flag : `--no-${kebab(name)}`;
  // What is nothing is named by a flag of its own.
  if (value === null) return `--unset ${kebab(name)}`;
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string' && !entry.includes(','));
  const text = isList ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `${flag} ${quoted(text)}`;
}

function kebab(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
