// stores: any
import { expect } from 'chai';
import { fullPath } from '../../../facade/apis.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import { ERROR_STATUS } from '../../../src/kernel/errors.ts';
import { answerPlace, type Document, useDocument } from '../../support/clientDocument.ts';
import { hasBody } from '../../support/operations.ts';
import { useWorld } from '../../support/world.ts';

const RATE_HEADERS = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

describe('each operation of /openapi.json', () => {
  const world = useWorld();
  const client = useDocument(world);

  for (const route of ROUTES) {
    const isSdk = route.api === 'sdk';
    const keepsAnswers = route.method === 'POST' && !isSdk;
    describe(`${route.method} ${route.path}`, () => {
      it('has its name, scope, group and parameters', () => {
        const operation = client.operation(route);
        expect(operation).to.include({ operationId: route.id, summary: route.summary });
        if (route.scope) expect(operation.description).to.include(route.scope);
        const tag = client.document.tags.find(({ name }: { name: string }) => name === route.tag);
        expect(tag.description).to.not.match(/^Operations on /);
        const parameters: Document[] = operation.parameters.map(client.resolve);
        for (const parameter of parameters) {
          expect(client.resolve(parameter.schema).type, parameter.name).to.be.a('string');
          if (parameter.in !== 'header') expect(parameter.name).to.match(/^[a-z_]+$/);
        }
        const names = parameters.map(({ name }) => name);
        expect(names).to.include('X-Request-Id');
        expect(names.includes('Idempotency-Key')).to.equal(keepsAnswers);
      });

      it('has its answers, with examples that fit', () => {
        const { responses } = client.operation(route);
        const success = Object.keys(responses).filter((status) => status.startsWith('2'));
        expect(success).to.have.members(route.answer === 'upsert' ? ['200', '201'] : [String(route.status)]);
        for (const status of success) {
          const { content } = responses[status];
          if (route.status === 204) expect(content).to.equal(undefined);
          else if (route.mediaTypes) expect(Object.keys(content)).to.deep.equal(route.mediaTypes);
          else {
            expect(client.resolve(content['application/json'].schema)).to.include.keys('properties', 'required');
            const place = answerPlace(route, Number(status));
            expect(client.misfits(place, exampleIn(content['application/json']))).to.deep.equal([]);
          }
        }
      });

      it('has its refusals', () => {
        const { responses } = client.operation(route);
        const codes = (status: number) => Object.keys(responses[status]?.content['application/json'].examples ?? {});
        const refusals = Object.keys(responses).filter((status) => !status.startsWith('2'));
        for (const status of refusals) {
          expect(responses[status].content['application/json'].schema.$ref).to.equal('#/components/schemas/Error');
          for (const code of codes(Number(status))) {
            expect(ERROR_STATUS[code as keyof typeof ERROR_STATUS]).to.equal(Number(status));
            const { value } = client.document.components.examples[code];
            expect(value.error.code).to.equal(code);
            expect(client.misfits(answerPlace(route, Number(status)), value)).to.deep.equal([]);
          }
        }
        expect(codes(429)).to.deep.equal(['rate_limited']);
        expect(codes(422)).to.include('validation_failed');
        for (const code of route.errors ?? []) expect(codes(ERROR_STATUS[code])).to.include(code);
        if (route.scope || isSdk) expect(codes(401)).to.deep.equal(['missing_key', 'invalid_key']);
        if (route.scope) expect(codes(403)).to.include.members(['publishable_key_refused', 'insufficient_scope']);
        if (isSdk) expect(codes(403)).to.deep.equal(['secret_key_refused']);
        expect(codes(403).includes('team_read_only')).to.equal(route.scope?.endsWith(':write') ?? false);
        if (route.path.includes('{id}')) expect(codes(404)).to.include('not_found');
        if (hasBody(route)) expect(refusals).to.include.members(['413', '415']);
        expect(codes(409).includes('idempotency_in_progress')).to.equal(keepsAnswers);
        if (!keepsAnswers) return;
        expect(codes(400)).to.include('invalid_request');
        expect(codes(422)).to.include('idempotency_key_reused');
      });

      it('has the headers of its answers', () => {
        const { responses } = client.operation(route);
        for (const [status, { headers }] of Object.entries<Document>(responses)) {
          expect(headers, status).to.include.keys(RATE_HEADERS);
          const isSuccess = status.startsWith('2');
          const waits = ['429', '503'].includes(status) || (status === '409' && keepsAnswers);
          expect('Retry-After' in headers, status).to.equal(waits || (isSuccess && route.overQuota !== undefined));
          expect('WWW-Authenticate' in headers, status).to.equal(status === '401');
          if (isSuccess) expect('Idempotency-Replayed' in headers).to.equal(keepsAnswers);
          for (const header of Object.values<Document>(headers)) {
            expect(client.resolve(header)).to.include.keys('description', 'schema');
          }
        }
      });

      if (hasBody(route)) {
        it('has its body, with an example that fits', () => {
          const { requestBody } = client.operation(route);
          if (!requestBody) return expect(route.document).to.not.include('$input');
          const [[mediaType, { schema, example }]] = Object.entries<Document>(requestBody.content) as [
            [string, Document],
          ];
          expect(mediaType).to.equal(route.takes === 'csv' ? 'text/csv' : 'application/json');
          expect(example).to.not.equal(undefined);
          const place = [
            'paths',
            fullPath(route),
            route.method.toLowerCase(),
            'requestBody',
            'content',
            mediaType,
            'schema',
          ];
          expect(client.misfits(place, example)).to.deep.equal([]);
          if (route.takes !== 'csv') expect(schema.$ref).to.be.a('string');
        });
      }
    });
  }

  /** The example of a body, whether it stands there or among the components. */
  function exampleIn({ example, examples }: Document): unknown {
    const [shared] = Object.values<Document>(examples ?? {});
    return shared ? client.resolve(shared).value : example;
  }
});
