// stores: any
import { expect } from 'chai';
import { GUIDES } from '../../../facade/reference/guides.ts';
import { config } from '../../../src/kernel/config.ts';
import { fetcher, useManifest } from '../../support/documentation.ts';
import { useWorld } from '../../support/world.ts';

/** An entry of a list of links: `- [name](url): note`. */
const ENTRY = /^- \[([^\]]+)\]\((https?:\/\/[^)\s]+)\)(: \S.*)?$/;

interface Llms {
  title: string;
  summary: string;
  sections: { title: string; entries: { name: string; url: string }[] }[];
}

/** Reads llms.txt by its grammar: a title, a quote, text without headings, and sections that are lists of links. */
function parseLlms(text: string): Llms {
  const [head = '', ...parts] = text.split(/^## /m);
  const [title = '', empty, summary = '', ...rest] = head.split('\n');
  expect(title).to.match(/^# \S/);
  expect(empty).to.equal('');
  expect(summary).to.match(/^> \S/);
  expect(rest.filter((line) => /^#|^>/.test(line))).to.deep.equal([]);
  const sections = parts.map((part) => {
    const [name = '', blank, ...lines] = part.trimEnd().split('\n');
    expect(blank).to.equal('');
    const entries = lines.map((line) => {
      const [, label = '', url = ''] = ENTRY.exec(line) ?? [];
      expect(url, line).to.not.equal('');
      return { name: label, url };
    });
    return { title: name, entries };
  });
  return { title, summary, sections };
}

describe('the documentation for machines', () => {
  const world = useWorld();
  const manifest = useManifest();
  const read = fetcher(world);

  it('/llms.txt follows the grammar, with what is optional last', async () => {
    const { status, type, text } = await read('/llms.txt');
    expect([status, type]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    const { title, sections } = parseLlms(text);
    expect(title).to.equal('# svc');
    expect(sections.map((section) => section.title)).to.deep.equal(['Guides', 'API', 'Machines', 'Optional']);
    expect(text).to.include(`${config.baseUrl}/api/v1`);
  });

  it('/llms.txt has links that all lead to text for machines, on this host', async () => {
    const { sections } = parseLlms((await read('/llms.txt')).text);
    for (const { url, name } of sections.flatMap(({ entries }) => entries)) {
      expect(url.startsWith(`${config.baseUrl}/`), url).to.equal(true);
      const path = url.slice(config.baseUrl.length);
      const { status, type, text } = await read(path);
      const wanted = path.endsWith('.json')
        ? 'application/json'
        : path.endsWith('.txt')
          ? 'text/plain; charset=utf-8'
          : 'text/markdown; charset=utf-8';
      expect([status, type.replace('application/json; charset=utf-8', 'application/json')], name).to.deep.equal([
        200,
        wanted,
      ]);
      expect(text.length, name).to.be.greaterThan(200);
    }
  });

  it('has a guide for each row of the table, whose links between guides lead somewhere', async () => {
    const missing: string[] = [];
    for (const { name } of GUIDES) {
      const { status, text } = await read(`/docs/${name}.md`);
      if (status !== 200) missing.push(name);
      for (const [, target = ''] of text.matchAll(/\]\((\/[^)#\s]*)/g)) {
        expect((await read(target)).status, `${name}: ${target}`).to.equal(200);
      }
      expect(text, name).to.not.match(/\]\((?!https?:|mailto:|#|\/)/);
    }
    expect(missing).to.deep.equal([]);
  });

  it('has a page in Markdown for each tag and operation', async () => {
    for (const { id, tag, path, method } of manifest.operations) {
      for (const page of [`/reference/${id}.md`, `/reference/${tag.toLowerCase()}.md`]) {
        const { status, type, text } = await read(page);
        expect([status, type], page).to.deep.equal([200, 'text/markdown; charset=utf-8']);
        expect(text, page).to.include(`\`${method} ${path}\``);
      }
    }
  });

  it('names every operation, type, event, code and scope in llms-full.txt', async () => {
    const { text } = await read('/llms-full.txt');
    const { operations, events, errors, scopes } = manifest;
    const names = [
      ...operations.flatMap(({ id, call, method, path }) => [`\`${id}\``, `\`${call}\``, `\`${method} ${path}\``]),
      ...operations.flatMap(({ params }) => params.map(({ name }) => `- ${name}`)),
      ...events.flatMap(({ type, schema }) => [`\`${type}\``, `type ${schema} = `]),
      ...Object.entries(errors).map(([code, status]) => `\`${code}\` (${status})`),
      ...scopes.map((scope) => `\`${scope}\``),
    ];
    expect(names.filter((name) => !text.includes(name))).to.deep.equal([]);
    // What a type refers to is there as well.
    const named = new Set([...text.matchAll(/^type (\w+)/gm)].map(([, name]) => name));
    for (const name of Object.keys(manifest.schemas)) {
      if (name !== 'Error' && name !== 'ErrorCode') expect(named.has(name), name).to.equal(true);
    }
  });

  it('keeps the bounds of what assistants read, in bytes', async () => {
    const { text } = await read('/llms-full.txt');
    expect(Buffer.byteLength(text)).to.be.at.most(200 * 1024);
  });

  it('names no other installation, no key and nothing of a project', async () => {
    const { id, name } = (await world.api('GET', '/projects')).body.data[0];
    const paths = [
      '/llms.txt',
      '/llms-full.txt',
      '/reference',
      ...GUIDES.map(({ name: guide }) => `/docs/${guide}.md`),
    ];
    for (const path of paths) {
      const { text } = await read(path);
      for (const secret of [world.secretKey, world.publishableKey, world.email, id, name, 'svc.example.com']) {
        expect(text.includes(secret), `${path}: ${secret}`).to.equal(false);
      }
      expect(text, path).to.not.match(/[sp]k_live_\w/);
    }
  });
});
