// stores: any
import { expect } from 'chai';
import { TEXT_EXAMPLES } from '../../../facade/openapi/examples.ts';
import type { Route } from '../../../facade/route.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import { OPERATIONS, type OperationId, Svc, type SvcAnswer, SvcError } from '../../../sdk/client/index.ts';
import { answerPlace, type ClientDocument, readDocument } from '../../support/clientDocument.ts';
import { bodyOf, makeThings, pathOf, type Things } from '../../support/operations.ts';
import { makeTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const restRoutes = ROUTES.filter((route) => route.api !== 'sdk');

/** A stream never ends: it has a test of its own. */
const routes = restRoutes.filter(({ answer }) => (answer as string) !== 'stream');

const QUERIES: Partial<Record<string, object>> = { lookupLink: { external_id: 'one' } };

describe('every method of the client', () => {
  const world = useWorld();
  let document: ClientDocument;

  before(async () => {
    document = await readDocument(world);
  });

  it('is of a row of the table, and every row has one', () => {
    const listed = Object.values(OPERATIONS).map(({ call, method, path }) => `${call} ${method} ${path}`);
    const rows = restRoutes.map(({ call, method, path }) => `${call} ${method} /api/v1${path}`);
    expect(listed).to.deep.equal(rows);
  });

  for (const route of routes) {
    it(`${route.call} asks ${route.method} ${route.path}, and gives what is answered`, async () => {
      const { svc, things } = await makeClient();
      const seen: SvcAnswer[] = [];
      const onAnswer = (answer: SvcAnswer) => seen.unshift(answer);
      if (route.rehearses) {
        await callMethod(svc, route, things, { dryRun: true, onAnswer });
        expect(seen[0]?.isDryRun).to.equal(true);
      }
      const value = await callMethod(svc, route, things, { onAnswer });
      const [answer] = seen as [SvcAnswer];
      expect(answer.isDryRun).to.equal(false);
      expect(answer.status).to.be.oneOf(route.answer === 'upsert' ? [200, 201] : [route.status]);
      if (route.status === 204) return expect(value).to.equal(undefined);
      if (route.answer === 'file')
        return expect(value).to.deep.equal({ mediaType: 'image/svg+xml', bytes: answer.bytes });
      if (route.answer === 'csv') return expect(value).to.match(/^\w+,/);
      expect(value).to.deep.equal(JSON.parse(answer.text));
      expect(document.misfits(answerPlace(route, answer.status), value)).to.deep.equal([]);
      expect(answer.rateLimit?.remaining).to.be.a('number');
    });

    it(`${route.call} throws a coded error for a key that is none`, async () => {
      const svc = new Svc({ url: world.origin, key: 'sk_live_none' });
      const nothing = new Proxy({} as Things, { get: () => 'nothing' });
      const error = await callMethod(svc, route, nothing, {}).catch((thrown: unknown) => thrown as SvcError);
      expect(error).to.be.instanceOf(SvcError);
      expect(error).to.include({ code: 'invalid_key', status: 401 });
      expect((error as SvcError).docUrl).to.match(/invalid_key/);
      expect((error as SvcError).requestId).to.match(/^req_/);
    });
  }

  it('by its id through the low-level door, as it came', async () => {
    const { svc, things } = await makeClient();
    const byId = await svc.request('getLink', { variables: { id: things.links } });
    const byPath = await svc.request({ method: 'get', path: `/api/v1/links/${things.links}` });
    expect([byId.status, byId.mediaType]).to.deep.equal([200, 'application/json']);
    expect(byId.text)
      .to.equal(byPath.text)
      .and.match(new RegExp(`"id":"${things.links}"`));
    const unheard = 'getNothing' as OperationId;
    const error = await svc.request(unheard).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'invalid_options', status: 0 });
  });

  async function makeClient(): Promise<{ svc: Svc; things: Things }> {
    const tenant = await makeTenant(world);
    const things = await makeThings(tenant);
    const { body } = await tenant.api('POST', '/keys', { name: 'Of the client', scopes: ['*'] });
    return { svc: new Svc({ url: world.origin, key: body.key }), things };
  }
});

/** As the table says: the variable of the path, the body, the query, then options. */
async function callMethod(svc: Svc, route: Route, things: Things, options: object): Promise<unknown> {
  const [resource, verb] = route.call.split('.') as [string, string];
  // biome-ignore lint/suspicious/noExplicitAny: by the name of a method
  const methods = (svc as any)[resource];
  const given = pathOf(route, things).split('/');
  const variables = route.path.split('/').flatMap((part, at) => (part.startsWith('{') ? [given[at]] : []));
  const query = QUERIES[route.id];
  const body = route.takes === 'csv' ? TEXT_EXAMPLES[route.id] : bodyOf(route);
  const parameters = [
    ...variables,
    ...(takesBody(route) ? [body] : []),
    ...(takesQuery(route) ? [query] : []),
    options,
  ];
  const value = methods[verb](...parameters);
  return route.answer === 'csv' ? value.text() : value;
}

function takesBody({ document, takes }: Route): boolean {
  return takes === 'csv' || /\$input\b/.test(document);
}

/** A variable of the document that is neither in the path nor the body. */
function takesQuery({ document, path }: Route): boolean {
  const names = [...document.matchAll(/\$(\w+):/g)].map(([, name]) => name as string);
  return names.some(
    (name) => name !== 'input' && !path.includes(`{${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`),
  );
}
