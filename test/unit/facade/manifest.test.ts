// stores: none
import { expect } from 'chai';
import { makeManifest } from '../../../facade/manifest.ts';
import { compileRoutes } from '../../../facade/route.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { loadConfig } from '../../../src/kernel/config.ts';

describe('the table of routes for every surface', () => {
  it('calls each operation by one name, resource.verb', () => {
    const calls = ROUTES.map(({ call }) => call);
    expect(new Set(calls).size).to.equal(calls.length);
    for (const call of calls) expect(call).to.match(/^[a-z]+\.[a-z][A-Za-z]*$/);
  });

  it('marks everything that deletes, and everything that shows a secret', () => {
    for (const { id, method, danger, secret } of ROUTES) {
      if (method === 'DELETE') expect(danger, id).to.be.a('string');
      if (secret) expect(danger, id).to.equal('reveals');
    }
  });

  it('rehearses every operation that writes, unless it reaches outside, starts a job or belongs to apps', () => {
    const not = ROUTES.filter(({ method, rehearses, api }) => method !== 'GET' && !rehearses && api !== 'sdk');
    expect(not.map(({ id }) => id)).to.have.members([
      'verifyDomain',
      'runHealthChecks',
      'testWebhook',
      'resendDelivery',
      'replayWebhook',
      'startImport',
      'simulateMatch',
    ]);
    for (const { id, method, rehearses } of ROUTES) if (method === 'GET') expect(rehearses, id).to.equal(undefined);
  });

  it('is printed with schemas that are all there', () => {
    loadConfig({ BASE_URL: 'https://svc.example.com' });
    const schema = buildGraphqlSchema();
    const manifest = makeManifest(compileRoutes(schema), schema);
    expect(manifest.operations).to.have.length(ROUTES.length);
    const names = [...JSON.stringify(manifest).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    for (const name of names) expect(manifest.schemas, name).to.have.property(name as string);
    for (const { id, answer, body } of manifest.operations) {
      if (answer.kind === 'json' || answer.kind === 'upsert') expect(answer.example, id).not.to.equal(null);
      if (body?.mediaType === 'application/json') expect(body.example, id).to.be.an('object');
    }
  });
});
