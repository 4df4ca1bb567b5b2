// stores: none
import { existsSync, globSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import { variableName } from '../../../src/kernel/config.ts';
import { OWN_PATHS } from '../../../src/kernel/origins.ts';
import { SETTINGS } from '../../../src/kernel/settings/table.ts';
import { inRoot } from '../../support/root.ts';

const read = (file: string) => readFileSync(inRoot(`deploy/${file}`), 'utf8');
const COMPOSE_FILES = globSync('compose*.yaml', { cwd: inRoot('deploy') });
const TEMPLATES = globSync('helm/svc/templates/*', { cwd: inRoot('deploy') });
const VARIABLES = new Set(Object.keys(SETTINGS).map(variableName));

interface Service {
  image: string;
  environment?: Record<string, string>;
  stop_grace_period?: string;
  volumes?: string[];
}

/** The services of a compose file that run the product. */
function productsIn(file: string): [string, Service][] {
  const { services } = parse(read(file), { merge: true }) as { services: Record<string, Service> };
  return Object.entries(services).filter(([, { image }]) => image === 'svc');
}

/** Seconds in which the product stops, as it is deployed: with its defaults. */
const STOP_SECONDS = 5 + SETTINGS.shutdownSeconds.fallback;

describe('The files in deploy', () => {
  it('set only settings that the product has', () => {
    const named = [
      ...COMPOSE_FILES.flatMap((file) =>
        productsIn(file).flatMap(([, { environment }]) => Object.keys(environment ?? {})),
      ),
      ...COMPOSE_FILES.flatMap((file) => Object.keys(parse(read(file))['x-clicks'] ?? {})),
      ...Object.keys(parse(read('helm/svc/values.yaml')).settings),
      ...[...read('helm/svc/templates/_pod.tpl').matchAll(/\{ name: ([A-Z_]+), value/g)].map(([, name]) => name),
      ...[...read('Dockerfile').matchAll(/\b([A-Z_]+)=(?=\S)/g)].map(([, name]) => name),
      ...[...read('systemd/svc.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
        line.split(' ').map((pair) => pair.split('=')[0]),
      ),
    ];
    expect(named).to.include.members(['ROLE', 'DATA_DIR', 'METRICS_PORT', 'BASE_URL', 'CLICKS_URL', 'MIGRATE']);
    const ofSystem = ['NODE_COMPILE_CACHE', 'NODE_ENV', 'PATH'];
    expect(named.filter((name = '') => !ofSystem.includes(name) && !VARIABLES.has(name))).to.deep.equal([]);
  });

  it('give values that the settings take', () => {
    for (const file of COMPOSE_FILES)
      for (const [service, { environment = {} }] of productsIn(file))
        for (const [name, setting] of Object.entries(SETTINGS)) {
          const value = environment[variableName(name)];
          if (value !== undefined && !value.includes('${')) expect(() => setting.parse(value), service).to.not.throw();
        }
    const { settings } = parse(read('helm/svc/values.yaml'));
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const value = settings[variableName(name)];
      if (value !== undefined) expect(() => setting.parse(value), name).to.not.throw();
    }
  });

  it('leave the product the time to stop', () => {
    for (const file of COMPOSE_FILES)
      for (const [service, { stop_grace_period: grace = '' }] of productsIn(file))
        expect(Number.parseInt(grace, 10), `${file} ${service}`).to.be.greaterThan(STOP_SECONDS);
    expect(parse(read('helm/svc/values.yaml')).terminationGracePeriodSeconds).to.be.greaterThan(STOP_SECONDS);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('systemd/svc.service'))?.[1])).to.be.greaterThan(STOP_SECONDS);
  });

  it('give each redirect process a journal of its own', () => {
    const redirects = productsIn('compose.postgres.yaml').filter(
      ([, { environment }]) => environment?.ROLE === 'redirect',
    );
    expect(redirects.length).to.equal(3);
    expect(new Set(redirects.flatMap(([, { volumes }]) => volumes)).size).to.equal(3);
    for (const [name] of redirects) expect(read('Caddyfile')).to.contain(`${name}:3000`);
  });

  it('give ClickHouse to every process that compose.postgres.yaml starts', () => {
    const { services } = parse(read('compose.clickhouse.yaml')) as { services: Record<string, Service> };
    for (const [name] of productsIn('compose.postgres.yaml'))
      expect(services[name]?.environment, name).to.have.property('CLICKS_URL');
  });

  it('believe the proxy that passes visitors on', () => {
    for (const file of ['compose.yaml', 'compose.postgres.yaml'])
      for (const [service, { environment }] of productsIn(file))
        expect(environment?.TRUSTED_PROXIES, `${file} ${service}`).to.match(/^\$\{TRUSTED_PROXIES:-[\d./,]+\}$/);
  });

  it('send nothing to the build of the image that is no part of the sources', () => {
    const linesOf = (file: string) => readFileSync(inRoot(file), 'utf8').trim().split('\n');
    const ignored = linesOf('.dockerignore').map((line) => line.replace('**/', ''));
    const lines = linesOf('.gitignore').filter((line) => !line.startsWith('#'));
    for (const line of lines) expect(ignored).to.include(line.replace(/^\/|\/$/g, ''));
    // The settings of the compose files have secrets.
    expect(linesOf('.dockerignore')).to.include('**/.env');
  });

  it('migrate the store before new pods start, by a command that there is', () => {
    expect(read('helm/svc/templates/migrate.yaml')).to.contain('command: [node, dist/scripts/admin.js, migrate]');
    expect(readFileSync(inRoot('app/admin/commands/migrations.ts'), 'utf8')).to.contain(`name: 'migrate'`);
  });

  it('ask the paths of health that the product has', () => {
    const asked = [...read('helm/svc/templates/_pod.tpl').matchAll(/httpGet: \{ path: (\S+), port: http \}/g)];
    expect(asked.map(([, place]) => place)).to.deep.equal([OWN_PATHS.healthz, OWN_PATHS.healthz, OWN_PATHS.readyz]);
    expect(read('Dockerfile')).to.contain(`'${OWN_PATHS.readyz}'`);
    expect(read('Caddyfile')).to.contain(`health_uri ${OWN_PATHS.readyz}`);
  });

  it('copy into the image what there is, and start what is built', () => {
    const build = read('Dockerfile');
    const ofSources = [...build.matchAll(/^COPY ((?:(?!--from)\S+ )+)\S+$/gm)].flatMap(([, places = '']) =>
      places.trim().split(' '),
    );
    expect(ofSources).to.include.members(['package-lock.json', 'scripts/bringNode.mjs']);
    expect(ofSources.filter((place) => !existsSync(inRoot(place)))).to.deep.equal([]);
    // What scripts/release.mjs makes: test/flows/compiled.test.ts runs it.
    const copied = [...build.matchAll(/ \/build\/(\S+)/g)].map(([, place = '']) => place);
    const release = 'dist/release/package';
    expect(copied).to.have.members([release, `${release}/package.json`, `${release}/npm-shrinkwrap.json`]);
    expect(build).to.contain('CMD ["node", "dist/app/main.js"]');
    expect(read('systemd/svc.service')).to.contain('ExecStart=/usr/bin/env svc-server\n');
  });

  it('have values of the chart that fit their schema, and templates that use no other ones', () => {
    const values = parse(read('helm/svc/values.yaml'));
    const validate = new Ajv().compile({ ...JSON.parse(read('helm/svc/values.schema.json')), $schema: undefined });
    expect(validate(values), JSON.stringify(validate.errors)).to.equal(true);
    for (const file of TEMPLATES)
      for (const [, used = ''] of read(file).matchAll(/\.Values\.([\w.]+)/g)) {
        const found = used
          .split('.')
          .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], values);
        expect(found, `${file}: ${used}`).to.not.equal(undefined);
      }
  });

  it('open and close the same blocks in each template of the chart', () => {
    for (const file of TEMPLATES) {
      const actions = [...read(file).matchAll(/\{\{-? *(if|range|with|define|end)\b/g)].map(([, word]) => word);
      const ends = actions.filter((word) => word === 'end').length;
      expect(ends, file).to.equal(actions.length - ends);
    }
  });
});
